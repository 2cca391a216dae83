import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until the condition gives something truthy, and returns that. A condition that throws is not met yet;
 * its last error is the cause of the failure after `timeoutMs`.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  options: { timeoutMs?: number; intervalMs?: number; describe?: string } = {},
): Promise<Exclude<T, false | null | undefined | '' | 0>> {
  const { timeoutMs = 5_000, intervalMs = 20, describe = 'the condition' } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    let cause: unknown;
    try {
      const value = await condition();
      if (value) return value as Exclude<T, false | null | undefined | '' | 0>;
    } catch (error) {
      cause = error;
    }
    if (performance.now() >= deadline)
      throw new Error(`Waited ${timeoutMs} ms in vain for ${describe}`, { cause });
    await sleep(intervalMs);
  }
}
