import { useSyncExternalStore } from 'react';
import { ApiProblem } from '#client/api-problem.js';

/** A call that changes something, as it goes over the wire. */
export interface ShownCall {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export interface LoggedCall extends ShownCall {
  readonly number: number;
  readonly atMs: number;
  /** Of the answer in words: `202`, `409 ENDPOINT_REVOKED`, `no answer`; null while none is there. */
  readonly outcome: string | null;
  readonly failed: boolean;
}

const KEPT = 50;
let calls: readonly LoggedCall[] = [];
const listeners = new Set<() => void>();

function change(next: readonly LoggedCall[]): void {
  calls = next;
  for (const listener of listeners) listener();
}

/** Makes the call and keeps how it ended, for people to see and repeat. */
export async function logged<Answer>(call: ShownCall, make: () => Promise<Answer>): Promise<Answer> {
  const entry: LoggedCall = {
    ...call,
    number: (calls[0]?.number ?? 0) + 1,
    atMs: Date.now(),
    outcome: null,
    failed: false,
  };
  change([entry, ...calls].slice(0, KEPT));
  const end = (outcome: string, failed: boolean) =>
    change(calls.map((one) => (one.number === entry.number ? { ...one, outcome, failed } : one)));
  try {
    const answer = await make();
    end('ok', false);
    return answer;
  } catch (error) {
    end(error instanceof ApiProblem ? `${error.status} ${error.code}` : 'no answer', true);
    throw error;
  }
}

/** For the next key of the tab. */
export function forgetCalls(): void {
  change([]);
}

/** The last ones, the newest first. */
export function useCallLog(): readonly LoggedCall[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => calls,
  );
}
