/** Something took longer than it may, or is not wanted any more. */
export class TimeLimitExceeded extends Error {
  override readonly name = 'TimeLimitExceeded';
}

/**
 * Waits for `work` at most so long. What it does afterwards is nobody's business any more: kafkajs may ignore a
 * disconnect while it reconnects, and answers some calls never.
 *
 * @throws TimeLimitExceeded when the time ran out or `ending` was aborted, else what `work` threw
 */
export async function within<T>(
  work: Promise<T>,
  limitMs: number,
  what: string,
  ending?: AbortSignal,
): Promise<T> {
  work.catch(() => undefined);
  let giveUp = () => undefined as void;
  const limit = new Promise<never>((_, reject) => {
    giveUp = () => reject(new TimeLimitExceeded(`${what} did not come to an end within ${limitMs} ms.`));
  });
  const timer = setTimeout(giveUp, limitMs);
  if (ending?.aborted) giveUp();
  ending?.addEventListener('abort', giveUp);
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    ending?.removeEventListener('abort', giveUp);
  }
}

/** Resolves after the time, or at once when `ending` is aborted. */
export function pause(milliseconds: number, ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (ending.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      ending.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    ending.addEventListener('abort', done);
  });
}
