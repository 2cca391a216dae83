import createClient from 'openapi-fetch';
import {
  type AnswerOf,
  type CallOptions,
  type InputOf,
  type ItemOf,
  JsonText,
  type ListPath,
  type Method,
  type OperationOf,
  type PathWith,
} from './api-call.js';
import { ApiProblem, ApiUnreachable, problemOf } from './api-problem.js';
import type { paths } from './api-types.generated.js';
import { type Patience, patientFetch } from './patient-fetch.js';

export interface EntregaClientOptions extends Partial<Patience> {
  /** Of the API, without `/v1`. */
  readonly url: string;
  /** Null: only what is open to everybody. */
  readonly key: string | null;
}

const DEFAULT_PATIENCE: Patience = { timeoutMs: 30_000, maxRetries: 4, maxRetryWaitMs: 10_000 };
const REPEATABLE: readonly Method[] = ['get', 'put', 'delete'];

/** The parts of a call whose types its path and method decide. */
interface Input extends CallOptions {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * Calls the API of entrega by its documented paths. Each call answers what the API answers, and throws
 * {@link ApiProblem} where it refuses and {@link ApiUnreachable} where no answer of it came.
 *
 * ```ts
 * const client = new EntregaClient({ url: 'http://127.0.0.1:8080', key });
 * const delivery = await client.get('/v1/deliveries/{id}', { path: { id } });
 * for await (const dead of client.items('/v1/dead-letters', { query: { application: ['acme'] } })) …
 * ```
 */
export class EntregaClient {
  readonly url: string;
  private readonly patience: Patience;
  private readonly api: ReturnType<typeof createClient<paths>>;

  constructor({ url, key, ...patience }: EntregaClientOptions) {
    this.url = url.replace(/\/+$/, '');
    this.patience = { ...DEFAULT_PATIENCE, ...patience };
    this.api = createClient<paths>({
      baseUrl: this.url,
      ...(key !== null && { headers: { authorization: `Bearer ${key}` } }),
      // A redirected POST would become a GET, and another origin would not get the key.
      redirect: 'manual',
      querySerializer: { array: { style: 'form', explode: false } },
      bodySerializer: (body: unknown) => (body instanceof JsonText ? body.text : JSON.stringify(body)),
    });
  }

  get<P extends PathWith<'get'>>(path: P, ...input: Given<P, 'get'>): Answered<P, 'get'> {
    return this.call('get', path, input[0]);
  }

  post<P extends PathWith<'post'>>(path: P, ...input: Given<P, 'post'>): Answered<P, 'post'> {
    return this.call('post', path, input[0]);
  }

  put<P extends PathWith<'put'>>(path: P, ...input: Given<P, 'put'>): Answered<P, 'put'> {
    return this.call('put', path, input[0]);
  }

  patch<P extends PathWith<'patch'>>(path: P, ...input: Given<P, 'patch'>): Answered<P, 'patch'> {
    return this.call('patch', path, input[0]);
  }

  delete<P extends PathWith<'delete'>>(path: P, ...input: Given<P, 'delete'>): Answered<P, 'delete'> {
    return this.call('delete', path, input[0]);
  }

  /** The pages of a list, from the cursor given (or the beginning) to its end. A page may be empty and not the last. */
  async *pages<P extends ListPath>(path: P, ...input: Given<P, 'get'>): AsyncGenerator<ItemOf<P>[]> {
    const { query, ...rest }: Input = input[0] ?? {};
    let cursor = query?.['cursor'];
    do {
      const page = await this.call<ListPage<P>>('get', path, { ...rest, query: { ...query, cursor } });
      yield page.items;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** The items of a list, one by one, fetched page by page as they are taken. */
  async *items<P extends ListPath>(path: P, ...input: Given<P, 'get'>): AsyncGenerator<ItemOf<P>> {
    for await (const page of this.pages(path, ...input)) yield* page;
  }

  private async call<Answer>(method: Method, path: string, input: Input = {}): Promise<Answer> {
    const { timeoutMs = this.patience.timeoutMs, repeatable = REPEATABLE.includes(method), signal } = input;
    const request = {
      params: { path: encodable(input.path ?? {}), query: input.query },
      body: input.body,
      ...(signal && { signal }),
      fetch: async (request: Request) =>
        successOf(await patientFetch(request, repeatable, { ...this.patience, timeoutMs })),
    };
    try {
      // The types of path and input are those of the documentation already, by the signatures above.
      const { data } = await this.api.request(method, path as never, request as never);
      return data as Answer;
    } catch (cause) {
      if (cause instanceof ApiProblem || signal?.aborted) throw cause;
      throw new ApiUnreachable(this.url, reasonOf(cause, timeoutMs), cause);
    }
  }
}

type Given<P extends keyof paths, M extends Method> =
  object extends InputOf<OperationOf<P, M>>
    ? [input?: InputOf<OperationOf<P, M>>]
    : [input: InputOf<OperationOf<P, M>>];

type Answered<P extends keyof paths, M extends Method> = Promise<AnswerOf<OperationOf<P, M>>>;

interface ListPage<P extends ListPath> {
  readonly items: ItemOf<P>[];
  readonly nextCursor: string | null;
}

/** @throws {TypeError} for what would name another path: URLs resolve `.` and `..`, encoded or not */
function encodable(path: NonNullable<Input['path']>): NonNullable<Input['path']> {
  for (const [name, value] of Object.entries(path)) {
    if (/^\.{0,2}$/.test(String(value))) throw new TypeError(`"${value}" cannot be the ${name} of a path.`);
  }
  return path;
}

/** @throws {ApiProblem} where it is none, {@link NoAnswerOfTheApi} where it does not come from the API */
async function successOf(response: Response): Promise<Response> {
  if (!response.ok) throw problemOf(response, await response.text());
  const type = response.headers.get('content-type');
  if (response.status !== 204 && !/^application\/json\b/.test(type ?? '')) throw new NoAnswerOfTheApi(type);
  return response;
}

class NoAnswerOfTheApi extends Error {
  constructor(contentType: string | null) {
    super(`what answers there is not the API of entrega (${contentType ?? 'no content type'})`);
  }
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (error instanceof NoAnswerOfTheApi) return error.message;
  if (error instanceof SyntaxError) return 'what answers there is not the API of entrega (no JSON)';
  if ((error as { name?: string }).name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const { cause } = error as { cause?: { code?: string; message?: string } };
  if (cause?.code === 'ECONNREFUSED') return 'nothing listens there (ECONNREFUSED)';
  if (cause?.code === 'ENOTFOUND') return 'no such host (ENOTFOUND)';
  if (cause?.code === 'ERR_SSL_WRONG_VERSION_NUMBER') return `no TLS is spoken there (${cause.code})`;
  return cause?.message ?? String(error);
}
