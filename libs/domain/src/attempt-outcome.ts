/** How an attempt ended, as logged, answered and counted. The closed set of `metrics.md`. */
export const ATTEMPT_OUTCOMES = [
  'success',
  'http_3xx',
  'http_auth',
  'http_429',
  'http_4xx',
  'http_5xx',
  'timeout',
  'dns',
  'connect',
  'tls',
  'reset',
  'protocol',
  'address_forbidden',
  'internal',
] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** The outcome that an HTTP status means. Only 2xx acknowledges (TF-32, CC-36). */
export function outcomeOfStatus(httpStatus: number): AttemptOutcome {
  if (httpStatus >= 200 && httpStatus < 300) return 'success';
  if (httpStatus === 401 || httpStatus === 403) return 'http_auth';
  if (httpStatus === 429) return 'http_429';
  if (httpStatus >= 300 && httpStatus < 400) return 'http_3xx';
  if (httpStatus >= 400 && httpStatus < 500) return 'http_4xx';
  if (httpStatus >= 500 && httpStatus < 600) return 'http_5xx';
  return 'protocol';
}

/** Why no response came: `code` is stable and screaming (`CONNECT_REFUSED`), `message` is for people. */
export interface AttemptError {
  readonly code: string;
  readonly message: string;
}
