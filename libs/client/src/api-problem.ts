/** One fault of a request: where it is, and what is wrong with it. */
export interface ProblemDetail {
  /** Into the body; absent where a query parameter is at fault. */
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly message: string;
}

export interface ApiProblemFields {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly ProblemDetail[];
  readonly retryAfterSeconds: number | null;
  readonly requestId: string | null;
}

/** The API refused a call or failed (RFC 9457). Decide by `code`, which is stable; `detail` is for people. */
export class ApiProblem extends Error implements ApiProblemFields {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly ProblemDetail[];
  /** After which the same call may succeed; null where the answer does not say. */
  readonly retryAfterSeconds: number | null;
  /** What the log lines of this call carry; null where something else than entrega answered. */
  readonly requestId: string | null;

  constructor(fields: ApiProblemFields) {
    super(`${fields.status} ${fields.code}: ${fields.detail}`);
    this.status = fields.status;
    this.code = fields.code;
    this.title = fields.title;
    this.detail = fields.detail;
    this.errors = fields.errors;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.requestId = fields.requestId;
  }
}

/** No answer of the API came: nobody listens, it took too long, or something else answered. `cause` says what. */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable';

  constructor(
    /** Of the API, as the client was given it. */
    readonly url: string,
    /** In words, without the URL. */
    readonly reason: string,
    cause: unknown,
  ) {
    super(`${url}: ${reason}`, { cause });
  }
}

/**
 * What an answer that is no success says.
 *
 * @param text of its body, which a proxy may have written
 */
export function problemOf(response: Response, text: string): ApiProblem {
  const stated = statedProblem(text);
  const location = response.headers.get('location');
  return new ApiProblem({
    status: response.status,
    code: stated.code ?? `HTTP_${response.status}`,
    title: stated.title ?? response.statusText,
    detail:
      stated.detail ??
      stated.title ??
      (location === null
        ? `Something answered ${response.status} that is not entrega`
        : `Moved to ${location}`),
    errors: stated.errors ?? [],
    retryAfterSeconds: retryAfterSecondsOf(response),
    requestId: response.headers.get('x-request-id') ?? stated.instance ?? null,
  });
}

/** Whole seconds from now, however the header says it; null where it does not. */
export function retryAfterSecondsOf(response: Response): number | null {
  const value = response.headers.get('retry-after');
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}

/** What a body says that may be of anybody: only what is of the shape that entrega gives it. */
function statedProblem(text: string): {
  code?: string;
  title?: string;
  detail?: string;
  instance?: string;
  errors?: readonly ProblemDetail[];
} {
  let stated: Record<string, unknown>;
  try {
    stated = Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
  const texts = ['code', 'title', 'detail', 'instance'].filter((name) => typeof stated[name] === 'string');
  return {
    ...Object.fromEntries(texts.map((name) => [name, stated[name]])),
    ...(Array.isArray(stated['errors']) && { errors: stated['errors'] as ProblemDetail[] }),
  };
}
