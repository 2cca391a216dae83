import type { components, paths } from './api-types.generated.js';

/** What the API answers, by the names of its documentation. */
export type Schemas = components['schemas'];

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have the method. */
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

export type OperationOf<P extends keyof paths, M extends Method> = M extends keyof paths[P]
  ? paths[P][M]
  : never;

type Success = 200 | 201 | 202 | 204 | 207;
type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : undefined;

/** What the call answers where it succeeds; undefined for an answer without JSON. */
export type AnswerOf<Operation> = Operation extends { responses: infer Responses }
  ? { [Status in keyof Responses & Success]: JsonOf<Responses[Status]> }[keyof Responses & Success]
  : never;

/** A value that is not there may be said as `undefined`: it is left out. */
type Omissible<T> = { [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

type PathPart<Operation> = Operation extends { parameters: { path: infer Path } } ? { path: Path } : unknown;

type QueryPart<Operation> = Operation extends { parameters: { query?: infer Query } }
  ? [Query] extends [undefined]
    ? unknown
    : { query?: Omissible<NonNullable<Query>> }
  : unknown;

type BodyPart<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { body: Omissible<Body> | JsonText }
  : Operation extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { body?: Omissible<Body> }
    : unknown;

export interface CallOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal;
  /** Instead of the client's, for a call that is answered late by intent. */
  readonly timeoutMs?: number;
  /** Whether the call may be made again; so it is for all but POST and PATCH when nothing is said. */
  readonly repeatable?: boolean;
}

/** What a call takes: its path, query and body as the API documents them. */
export type InputOf<Operation> = PathPart<Operation> &
  QueryPart<Operation> &
  BodyPart<Operation> &
  CallOptions;

/** Lists: what is answered page by page, until the cursor is null. */
export type ListPath = {
  [P in PathWith<'get'>]: AnswerOf<OperationOf<P, 'get'>> extends {
    items: readonly unknown[];
    nextCursor: infer Cursor;
  }
    ? null extends Cursor
      ? P
      : never
    : never;
}[PathWith<'get'>];

export type ItemOf<P extends ListPath> =
  AnswerOf<OperationOf<P, 'get'>> extends { items: readonly (infer Item)[] } ? Item : never;

/** A body that is JSON already, and is sent as it is written: the digits of its numbers, the order of its members. */
export class JsonText {
  constructor(readonly text: string) {}
}
