/**
 * The catalogue of everything that can go wrong between a caller and us. The code is stable and is what
 * programs match on; the status is what the HTTP edge answers; `retriable` says whether the same call may
 * succeed later without a change.
 */
export const ERROR_CATALOGUE = {
  NOT_JSON: { status: 400, retriable: false, title: 'The request body is not valid JSON' },
  MALFORMED_REQUEST: { status: 400, retriable: false, title: 'The request is malformed' },
  UNAUTHENTICATED: { status: 401, retriable: false, title: 'No valid API key' },
  FORBIDDEN: { status: 403, retriable: false, title: 'The API key does not allow this' },
  NOT_FOUND: { status: 404, retriable: false, title: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, retriable: false, title: 'Method not allowed' },
  REQUEST_TIMEOUT: { status: 408, retriable: true, title: 'The request did not arrive in time' },
  CONFLICT: { status: 409, retriable: false, title: 'Conflict with the present state' },
  EVENT_ID_REUSED: { status: 409, retriable: false, title: 'The event id belongs to another event' },
  ATTEMPT_IN_FLIGHT: { status: 409, retriable: true, title: 'An attempt is in flight' },
  ENDPOINT_REVOKED: { status: 409, retriable: false, title: 'The endpoint is revoked' },
  ENDPOINT_DISABLED: { status: 409, retriable: false, title: 'The endpoint is disabled' },
  ENDPOINT_PAUSED: { status: 409, retriable: false, title: 'The endpoint is paused' },
  DELIVERY_NOT_PENDING: { status: 409, retriable: false, title: 'The delivery is not pending' },
  BODY_NOT_KEPT: { status: 409, retriable: false, title: 'The event body is no longer kept' },
  BODY_ERASED: { status: 409, retriable: false, title: 'The event body was erased' },
  NO_TEST_EVENT: { status: 409, retriable: false, title: 'The contract has no test event' },
  NO_WEBHOOK: { status: 409, retriable: false, title: 'The contract has no single webhook' },
  NO_GENERATED_CREDENTIALS: {
    status: 409,
    retriable: false,
    title: 'The contract generates no credentials of an endpoint',
  },
  APPLICATION_EXISTS: { status: 409, retriable: false, title: 'The application already exists' },
  APPLICATION_DELETED: { status: 409, retriable: false, title: 'The application was deleted' },
  ENDPOINT_EXISTS: { status: 409, retriable: false, title: 'The endpoint already exists' },
  TOO_MANY_ENDPOINTS: { status: 409, retriable: false, title: 'The application has too many endpoints' },
  GONE: { status: 410, retriable: false, title: 'What was here was erased' },
  PAYLOAD_TOO_LARGE: { status: 413, retriable: false, title: 'The request is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, retriable: false, title: 'Unsupported media type' },
  VALIDATION_FAILED: { status: 422, retriable: false, title: 'The request is not valid' },
  UNKNOWN_APPLICATION: { status: 422, retriable: false, title: 'The application does not exist' },
  APPLICATION_NOT_ALLOWED: {
    status: 403,
    retriable: false,
    title: 'The API key does not cover the application',
  },
  VERIFICATION_FAILED: { status: 422, retriable: false, title: 'The test delivery was not acknowledged' },
  TOO_MANY_REQUESTS: { status: 429, retriable: true, title: 'Too many requests' },
  HEADERS_TOO_LARGE: { status: 431, retriable: false, title: 'The request headers are too large' },
  INTERNAL: { status: 500, retriable: true, title: 'Internal error' },
  UNAVAILABLE: { status: 503, retriable: true, title: 'Temporarily unavailable' },
} as const satisfies Record<string, { status: number; retriable: boolean; title: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;
export const ERROR_CODES = Object.keys(ERROR_CATALOGUE) as [ErrorCode, ...ErrorCode[]];

/** One fault in one place of what the caller sent. `pointer` is a JSON pointer into the body. */
export interface FieldProblem {
  readonly pointer?: string;
  readonly parameter?: string;
  /** Stable and screaming (`REQUIRED`, `UNKNOWN_FIELD`). */
  readonly code: string;
  /** What is wrong, with which value, and what to do. */
  readonly message: string;
}

/** A refusal that the caller can act on. Never carries a secret. */
export class DomainError extends Error {
  override readonly name = 'DomainError';

  constructor(
    readonly code: ErrorCode,
    /** What is wrong, with which value, and what to do. */
    message: string,
    readonly details: {
      errors?: readonly FieldProblem[];
      retryAfterSeconds?: number;
      /** Further members of the problem document, e.g. the attempt of a failed verification. */
      extensions?: Readonly<Record<string, unknown>>;
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: details.cause });
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status;
  }
}
