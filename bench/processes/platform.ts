import type { ProcessTree } from '../measure/process-tree.js';

/** The product under test, however many processes that is, and the servers it needs. */
export interface Platform {
  /** Where events are published. */
  readonly publishOrigin: string;
  /** Where the rest of the HTTP interface is. */
  readonly adminOrigin: string;
  readonly adminKey: string;
  /** Whose CPU time and memory count, by name: `standalone`, `postgresql` and so on. */
  readonly trees: Readonly<Record<string, ProcessTree>>;
  /** Ends all of it and removes what it kept. */
  end(): Promise<void>;
  lastWords(): Promise<string>;
}

/** Sends one call of the HTTP interface as an admin and returns the answer. Anything but a 2xx is an error. */
export async function callAsAdmin<T>(
  platform: Platform,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(platform.adminOrigin + path, {
    method,
    headers: {
      authorization: `Bearer ${platform.adminKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}
