import { DEADLOCK_DETECTED, isDataError, SERIALIZATION_FAILURE, sqlState } from '#storage/database.js';

const DEADLOCK_TRIES = 5;

/** What became of one item of a batch: its result, or the data error that only it causes. */
export type ItemOutcome<Result> = { ok: true; result: Result } | { ok: false; error: unknown };

/**
 * Runs a batch statement so that one bad row fails alone: on a data error the batch is halved until the culprit
 * stands by itself. Deadlocks are tried again. Any other error is the server's and is thrown for the whole batch.
 */
export async function runBisecting<Item, Result>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  isItemFault: (error: unknown) => boolean = isDataError,
): Promise<ItemOutcome<Result>[]> {
  try {
    const results = await retryingDeadlocks(() => run(items));
    return results.map((result) => ({ ok: true, result }));
  } catch (error) {
    if (!isItemFault(error)) throw error;
    if (items.length === 1) return [{ ok: false, error }];
    const middle = items.length >> 1;
    const first = await runBisecting(items.slice(0, middle), run, isItemFault);
    return [...first, ...(await runBisecting(items.slice(middle), run, isItemFault))];
  }
}

/** Tries a statement again that lost a deadlock, some times. */
export async function retryingDeadlocks<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const state = sqlState(error);
      if ((state !== DEADLOCK_DETECTED && state !== SERIALIZATION_FAILURE) || attempt >= DEADLOCK_TRIES)
        throw error;
    }
  }
}
