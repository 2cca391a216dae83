import { setTimeout as sleep } from 'node:timers/promises';

/** Something took longer than the bench may. */
export class TookTooLong extends Error {}

/** The promise, or a refusal that says what was waited for in vain. */
export function withinLimit<T>(promise: Promise<T>, limitMs: number, what: string): Promise<T> {
  const ended = new AbortController();
  const late = sleep(limitMs, undefined, { signal: ended.signal }).then(() => {
    throw new TookTooLong(`${what} took longer than ${limitMs / 1_000} s.`);
  });
  late.catch(() => undefined);
  return Promise.race([promise, late]).finally(() => ended.abort());
}
