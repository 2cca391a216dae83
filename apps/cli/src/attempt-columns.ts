import type { Schemas } from '#client/api-call.js';
import type { Output } from './output.js';
import { shownTime } from './shown-time.js';
import type { Column } from './table.js';

type TestAttempt = Schemas['TestAttempt'];

/** What an attempt met with: the status that was answered, or the code of what stood in its way. */
export function resultOf({ httpStatus, error }: TestAttempt): string {
  return error?.code ?? String(httpStatus ?? '');
}

/** In words: what went wrong, or what was answered. */
export function wordsOf({ error, responseSummary }: TestAttempt): string {
  return error?.message ?? responseSummary;
}

export function attemptColumns(output: Output): Column<TestAttempt>[] {
  return [
    { title: 'started', of: ({ startedAt }) => shownTime(startedAt) },
    { title: 'took', of: ({ durationMs }) => `${durationMs} ms` },
    {
      title: 'result',
      of: resultOf,
      cut: true,
      style: (text, { outcome }) => output.styled(outcome === 'success' ? 'green' : 'red', text),
    },
    { title: 'answer', of: wordsOf, cut: true },
  ];
}
