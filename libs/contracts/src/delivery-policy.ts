import {
  DAY_MS,
  DURATION_PATTERN,
  HOUR_MS,
  SECOND_MS,
  WAIT_RANGE_PATTERN,
  type WaitRange,
  formatDuration,
  formatWaitRange,
  parseDurationMs,
  parseWaitRange,
} from '#domain/durations.js';
import type { FieldProblem } from '#domain/errors.js';
import type { DeliveryPolicy } from '#domain/retry-policy.js';
import { z } from 'zod';
import type { Contract } from './contract.js';
import { excerpt } from './problem-list.js';

/**
 * What an application may change about its contract's delivery. Leases, retention and worker capacity are
 * laid out for these bounds. The shortest timeout is there for tests, not for receivers.
 */
export const SETTINGS_BOUNDS = {
  waits: { min: 1, max: 20 },
  timeoutMs: { min: 100, max: 15 * SECOND_MS },
  firstAttemptDelayMs: { min: 0, max: DAY_MS },
  breakerThreshold: { min: 0, max: 1_000_000 },
  retryAfterCapMs: { min: 0, max: DAY_MS },
  concurrencyPerWorker: { min: 1, max: 512 },
} as const;

const UNITS = 'a whole or decimal number and one of ms, s, m, h, d';

const duration = z
  .string({ error: `Write a duration as text: ${UNITS}, such as "15s".` })
  .refine((text) => parseDurationMs(text) !== null, {
    error: ({ input }) => `${quoted(input)} is no duration. Write ${UNITS}, such as "15s".`,
  })
  .meta({ pattern: DURATION_PATTERN, examples: ['15s'] });

const waitRange = z
  .string({ error: `Write a wait as text: a duration such as "15s", or a range such as "15s..30s".` })
  .refine((text) => parseWaitRange(text) !== null, {
    error: ({ input }) =>
      `${quoted(input)} is no wait. Write ${UNITS}, such as "15s", or two of them in order, such as "15s..30s".`,
  })
  .meta({ pattern: WAIT_RANGE_PATTERN, examples: ['15s', '1m..2m'] });

const yesOrNo = z.boolean({
  error: ({ input }) => `${quoted(input)} is neither true nor false. Write one of them.`,
});

/**
 * `settings` of an application: what it overrides of its contract's defaults. This checks form only; the
 * bounds need the contract and the retention, see {@link settingsProblems}.
 */
export const applicationSettingsSchema = z.strictObject({
  retryWaits: z
    .array(waitRange, { error: 'Write retryWaits as a list of waits, such as ["15s", "1m..2m"].' })
    .optional()
    .describe('Waits after the 1st, 2nd … failure, 1 to 20 of them; attempts = length + 1.'),
  timeout: duration.optional().describe('From the request being sent to the response headers; 100ms to 15s.'),
  firstAttemptDelay: duration
    .optional()
    .describe('The first attempt is owed this long after occurredAt; at most 1d.'),
  breakerThreshold: z
    .int({
      error: ({ input }) =>
        `${quoted(input)} is no whole number. Write the failures in a row that disable an endpoint, or 0 for never.`,
    })
    .optional()
    .describe('Consecutive failures that disable an endpoint; 0 turns the breaker off.'),
  respectRetryAfter: yesOrNo.optional().describe("Whether a response's Retry-After may lengthen the wait."),
  retryAfterCap: duration.optional().describe('The longest Retry-After that is honoured; at most 1d.'),
  concurrencyPerWorker: z
    .int({
      error: ({ input }) =>
        `${quoted(input)} is no whole number. Write the simultaneous attempts to one endpoint from one worker.`,
    })
    .optional()
    .describe('Simultaneous attempts to one endpoint from one worker; 1 to 512.'),
  sendTraceparent: yesOrNo
    .optional()
    .describe(
      "Whether receivers get `traceparent` (and `tracestate`) beside the contract's headers: of the attempt where traces are exported, else as the publisher sent it.",
    ),
});

export type ApplicationSettings = z.infer<typeof applicationSettingsSchema>;

/** A retry schedule in a contract: `waits('1m', '15s..30s')`. */
export function waits(...texts: readonly string[]): readonly WaitRange[] {
  return texts.map((text) => {
    const range = parseWaitRange(text);
    if (range === null) throw new Error(`"${text}" is no wait.`);
    return range;
  });
}

/** The contract's policy with the application's overrides; `settings` have passed the schema. */
export function resolvePolicy(
  contract: Pick<Contract, 'policy'>,
  settings: ApplicationSettings,
): DeliveryPolicy {
  const { policy } = contract;
  return {
    ...policy,
    waits: settings.retryWaits ? waits(...settings.retryWaits) : policy.waits,
    timeoutMs: milliseconds(settings.timeout) ?? policy.timeoutMs,
    firstAttemptDelayMs: milliseconds(settings.firstAttemptDelay) ?? policy.firstAttemptDelayMs,
    breakerThreshold: settings.breakerThreshold ?? policy.breakerThreshold,
    respectRetryAfter: settings.respectRetryAfter ?? policy.respectRetryAfter,
    retryAfterCapMs: milliseconds(settings.retryAfterCap) ?? policy.retryAfterCapMs,
    concurrencyPerWorker: settings.concurrencyPerWorker ?? policy.concurrencyPerWorker,
    sendTraceparent: settings.sendTraceparent ?? policy.sendTraceparent,
  };
}

/** A policy in the words of `settings`: how the reference shows a contract's defaults. */
export function policyAsSettings(policy: DeliveryPolicy) {
  return {
    retryWaits: policy.waits.map(formatWaitRange),
    timeout: formatDuration(policy.timeoutMs),
    firstAttemptDelay: formatDuration(policy.firstAttemptDelayMs),
    breakerThreshold: policy.breakerThreshold,
    respectRetryAfter: policy.respectRetryAfter,
    retryAfterCap: formatDuration(policy.retryAfterCapMs),
    concurrencyPerWorker: policy.concurrencyPerWorker,
    sendTraceparent: policy.sendTraceparent,
  } satisfies Required<ApplicationSettings>;
}

/**
 * Which bounds the settings break, all together; empty when they may be saved. Pointers begin with
 * `/settings`.
 *
 * @param retentionDays how long deliveries are kept. A schedule must end a day before they go; Retry-After
 *   is not part of that sum, for what is still pending is never dropped.
 */
export function settingsProblems(
  contract: Pick<Contract, 'policy'>,
  settings: ApplicationSettings,
  { retentionDays }: { retentionDays: number },
): readonly FieldProblem[] {
  const policy = resolvePolicy(contract, settings);
  return [
    ...outside('retryWaits', policy.waits.length, SETTINGS_BOUNDS.waits, countOfWaits),
    ...outside('timeout', policy.timeoutMs, SETTINGS_BOUNDS.timeoutMs, formatDuration),
    ...outside(
      'firstAttemptDelay',
      policy.firstAttemptDelayMs,
      SETTINGS_BOUNDS.firstAttemptDelayMs,
      formatDuration,
    ),
    ...outside('breakerThreshold', policy.breakerThreshold, SETTINGS_BOUNDS.breakerThreshold, String),
    ...outside('retryAfterCap', policy.retryAfterCapMs, SETTINGS_BOUNDS.retryAfterCapMs, formatDuration),
    ...outside(
      'concurrencyPerWorker',
      policy.concurrencyPerWorker,
      SETTINGS_BOUNDS.concurrencyPerWorker,
      String,
    ),
    ...outlastsRetention(policy, settings, retentionDays),
  ];
}

function outside(
  name: string,
  value: number,
  { min, max }: { min: number; max: number },
  format: (value: number) => string,
): readonly FieldProblem[] {
  if (value >= min && value <= max) return [];
  const message = `${name} is ${format(value)}. Choose ${format(min)} to ${format(max)}.`;
  return [{ pointer: `/settings/${name}`, code: 'OUT_OF_BOUNDS', message }];
}

function countOfWaits(count: number): string {
  return count === 1 ? '1 wait' : `${count} waits`;
}

function outlastsRetention(
  policy: DeliveryPolicy,
  settings: ApplicationSettings,
  retentionDays: number,
): readonly FieldProblem[] {
  const longestMs = policy.waits.reduce((sum, wait) => sum + wait.maxMs, policy.firstAttemptDelayMs);
  const limitMs = (retentionDays - 1) * DAY_MS;
  if (longestMs < limitMs) return [];
  const name = settings.retryWaits || !settings.firstAttemptDelay ? 'retryWaits' : 'firstAttemptDelay';
  const hours = Math.ceil(longestMs / HOUR_MS);
  const message = `firstAttemptDelay and the longest waits come to ${hours} hours, which must be less than ${limitMs / HOUR_MS}: deliveries are kept ${retentionDays} days, and the last day is a reserve. Choose shorter waits or raise RETENTION_DAYS.`;
  return [{ pointer: `/settings/${name}`, code: 'OUTLASTS_RETENTION', message }];
}

function milliseconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = parseDurationMs(text);
  if (ms === null) throw new Error(`"${text}" is no duration.`);
  return ms;
}

function quoted(input: unknown): string {
  return excerpt(JSON.stringify(input) ?? String(input));
}
