import { useSyncExternalStore } from 'react';

/** Whether calls are answered. An answer that refuses is one too. */
export interface Connection {
  /** When the API answered last; null before it did. Milliseconds. */
  readonly answeredAtMs: number | null;
  /** Since when nothing answers; null while something does. */
  readonly lostSinceMs: number | null;
}

let connection: Connection = { answeredAtMs: null, lostSinceMs: null };
const listeners = new Set<() => void>();

function change(next: Connection): void {
  connection = next;
  for (const listener of listeners) listener();
}

export function answered(): void {
  change({ answeredAtMs: Date.now(), lostSinceMs: null });
}

export function unanswered(): void {
  if (connection.lostSinceMs === null) change({ ...connection, lostSinceMs: Date.now() });
}

export function useConnection(): Connection {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => connection,
  );
}
