import type { Schemas } from '#client/api-call.js';
import type { Output } from './output.js';
import { stateStyle } from './shown-state.js';
import { shownTime } from './shown-time.js';
import type { Column } from './table.js';

type Delivery = Schemas['Delivery'];

/** @param time which of its times the list is ordered by */
export function deliveryColumns(
  output: Output,
  time: { title: string; of: (delivery: Delivery) => string | null } = {
    title: 'created',
    of: ({ createdAt }) => createdAt,
  },
): Column<Delivery>[] {
  return [
    { title: 'delivery', of: ({ id }) => id },
    { title: 'state', of: ({ state }) => state, style: stateStyle(output) },
    {
      title: 'attempts',
      of: ({ attemptCount, maxAttempts }) => `${attemptCount}/${maxAttempts}`,
      spare: true,
    },
    { title: 'application', of: ({ application }) => application, spare: true },
    { title: 'endpoint', of: ({ endpoint }) => endpoint, spare: true },
    { title: 'type', of: ({ type }) => type, cut: true, spare: true },
    { title: 'event', of: ({ event }) => event ?? '-', cut: true },
    { title: time.title, of: (delivery) => shownTime(time.of(delivery)) },
    { title: 'last result', of: lastResult, cut: true },
  ];
}

function lastResult({ lastHttpStatus, lastError }: Delivery): string {
  if (lastError !== null) return `${lastError.code}: ${lastError.message}`;
  return lastHttpStatus === null ? '-' : String(lastHttpStatus);
}
