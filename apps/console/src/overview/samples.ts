import { useEffect, useSyncExternalStore } from 'react';
import type { Schemas } from '#client/api-call.js';
import { HOUR_MS } from '../layout/time.js';

/** What the API tells of now only. */
interface Sample {
  readonly atMs: number;
  readonly owedMs: number;
  readonly waiting: number;
  readonly acceptedPerSecond: number;
}

/** Of an hour at most, as far as this tab has seen it. */
let samples: readonly Sample[] = [];
const listeners = new Set<() => void>();

function take(sample: Sample): void {
  const { atMs } = sample;
  samples = [...samples.filter((one) => one.atMs > atMs - HOUR_MS && one.atMs < atMs), sample];
  for (const listener of listeners) listener();
}

/** Keeps what the figures say of now, and gives back what they said since the tab was opened. */
export function useSamples({ at, backlog, accepted }: Schemas['Stats']): readonly Sample[] {
  const { oldestDueAt, due, scheduled } = backlog;
  const { since, events } = accepted;
  useEffect(() => {
    const atMs = Date.parse(at);
    const owedMs = oldestDueAt === null ? 0 : Math.max(0, atMs - Date.parse(oldestDueAt));
    const acceptedPerSecond = (1_000 * events) / Math.max(1, atMs - Date.parse(since));
    take({ atMs, owedMs, waiting: due + scheduled, acceptedPerSecond });
  }, [at, oldestDueAt, due, scheduled, since, events]);
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => samples,
  );
}
