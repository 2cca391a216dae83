/** A text as one word of a POSIX shell, whatever is in it. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string | null;
}

/** The request as a command line of curl, byte for byte: the body is not read from a file, even where it begins with @. */
export function curlOf({ method, url, headers, body }: CurlRequest): string {
  return [
    `curl --request ${method} ${shellWord(url)}`,
    ...headers.map(({ name, value }) => `--header ${shellWord(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${shellWord(body)}`]),
  ].join(' \\\n  ');
}

/** A call of the API; the key stays out of it. */
export function curlOfCall(origin: string, call: { method: string; path: string; body?: unknown }): string {
  const command = curlOf({
    method: call.method,
    url: origin + call.path,
    headers: call.body === undefined ? [] : [{ name: 'Content-Type', value: 'application/json' }],
    body: call.body === undefined ? null : JSON.stringify(call.body),
  });
  return `${command} \\\n  --header "Authorization: Bearer $ENTREGA_KEY"`;
}
