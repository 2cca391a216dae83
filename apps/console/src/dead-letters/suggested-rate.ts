/** Where nothing is known of the endpoint. */
const UNKNOWN_PER_SECOND = 10;
const MAX_PER_SECOND = 200;

/**
 * Half of what an endpoint takes at once from one worker at the duration that its attempts usually have: enough to be
 * done soon, with room for what is new. Per second, 1 to 200.
 *
 * @param averageDurationMs of its attempts of a day; null without any
 */
export function suggestedRate(concurrencyPerWorker: number, averageDurationMs: number | null): number {
  if (averageDurationMs === null) return UNKNOWN_PER_SECOND;
  const takesPerSecond = (concurrencyPerWorker * 1_000) / Math.max(1, averageDurationMs);
  return Math.max(1, Math.min(MAX_PER_SECOND, Math.floor(takesPerSecond / 2)));
}
