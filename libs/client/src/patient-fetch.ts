import { retryAfterSecondsOf } from './api-problem.js';

export interface Patience {
  /** For one try, its whole answer included. Milliseconds. */
  readonly timeoutMs: number;
  /** How often a call is made again. */
  readonly maxRetries: number;
  /** The longest `Retry-After` that is waited for; beyond it the answer is given back as it is. */
  readonly maxRetryWaitMs: number;
}

/** What asks to be called again later, having done nothing. */
const TRY_AGAIN = [429, 503];
const SECOND_MS = 1_000;

/**
 * Calls once, and again as long as the answer asks for it and the patience lasts.
 *
 * @param repeatable whether doing it twice is doing it once
 * @throws what `fetch` throws, and a `TimeoutError` after `timeoutMs`
 */
export async function patientFetch(
  request: Request,
  repeatable: boolean,
  { timeoutMs, maxRetries, maxRetryWaitMs }: Patience,
): Promise<Response> {
  for (let retries = 0; ; retries += 1) {
    const response = await fetch(request.clone(), {
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]),
    });
    if (!repeatable || !TRY_AGAIN.includes(response.status) || retries >= maxRetries) return response;
    const waitMs = (retryAfterSecondsOf(response) ?? 1) * SECOND_MS;
    if (waitMs > maxRetryWaitMs) return response;
    await response.body?.cancel();
    await sleep(waitMs, request.signal);
  }
}

/** Without Node's own timers: the client runs in browsers too. Rejects when the signal is aborted. */
function sleep(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, waitMs);
    signal.addEventListener('abort', abort, { once: true });
  });
}
