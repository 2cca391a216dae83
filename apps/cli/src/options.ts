import type { Schemas } from '#client/api-call.js';
import { momentOf } from './moments.js';
import { WrongUsage } from './wrong-usage.js';

/** Options that several commands take. All are read as text: ids have more digits than numbers keep. */

const MAX_LIMIT = 10_000;

/** A comma list, or the option several times. */
export function listOption(about: string) {
  return { type: 'string', describe: `${about}; several with commas`, coerce: listOf } as const;
}

/** A comma list of words that are known. */
export function choicesOption<const Word extends string>(about: string, words: readonly Word[]) {
  return {
    type: 'string',
    describe: `${about}: ${words.join(', ')}; several with commas`,
    coerce: (given: string | string[]) => {
      const chosen = listOf(given);
      const unknown = chosen.find((word) => !words.includes(word as Word));
      if (unknown !== undefined) {
        throw new WrongUsage(`${JSON.stringify(unknown)} is none of ${words.join(', ')}.`);
      }
      return chosen as Word[];
    },
  } as const;
}

export function textOption(about: string) {
  return {
    type: 'string',
    describe: about,
    coerce: (given: string | string[]) => once(given),
  } as const;
}

export function timeOption(name: string, about: string, direction: 'ago' | 'ahead' = 'ago') {
  const duration = direction === 'ago' ? '2h for two hours ago' : '2h for in two hours';
  return {
    type: 'string',
    describe: `${about}: ISO 8601, or ${duration}`,
    coerce: (given: string | string[]) => {
      const text = once(given);
      return momentOf(name, direction, text, Date.now());
    },
  } as const;
}

export function wholeNumberOption(name: string, about: string, min: number, max: number) {
  return {
    type: 'string',
    describe: about,
    coerce: (given: string | string[]) => {
      const text = once(given);
      const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
      if (number >= min && number <= max) return number;
      throw new WrongUsage(`--${name} ${JSON.stringify(text)} is no whole number from ${min} to ${max}.`);
    },
  } as const;
}

export const LIMIT = wholeNumberOption('limit', 'List so many at most (50 without it)', 1, MAX_LIMIT);
export const DEFAULT_LIMIT = 50;

/** Which deliveries, events or dead letters; `since ≤ t < until`. */
export const PERIOD = {
  since: timeOption('since', 'Not before'),
  until: timeOption('until', 'Before'),
} as const;

export const RATE = wholeNumberOption('rate', 'Queue so many per second at most', 1, 10_000);
export const DETACH = {
  type: 'boolean',
  describe: 'Start it, and do not wait for its end',
} as const;

/** Held to the API by the type: what it does not know would not compile. */
export const DELIVERY_STATES = [
  'pending',
  'delivered',
  'dead',
  'closed',
  'canceled',
  'suppressed',
] as const satisfies readonly Schemas['Delivery']['state'][];

function listOf(given: string | string[]): string[] {
  const words = [given]
    .flat()
    .flatMap((text) => text.split(','))
    .map((word) => word.trim());
  if (!words.includes('')) return words;
  throw new WrongUsage(`${JSON.stringify([given].flat().join(','))} names nothing between its commas.`);
}

/** yargs makes an array of an option that is given twice. */
function once(given: string | string[]): string {
  if (!Array.isArray(given)) return given;
  throw new WrongUsage(
    `An option was given twice: ${given.map((text) => JSON.stringify(text)).join(' and ')}.`,
  );
}
