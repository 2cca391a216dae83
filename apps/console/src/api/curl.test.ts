import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { curlOf, curlOfCall } from './curl.js';

/** What a shell would hand to curl, one argument a line. */
function wordsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ENTREGA_KEY: 'k' } })
    .split('\0')
    .slice(0, -1);
}

describe('a request as curl', () => {
  it('reaches curl as it was, whatever a receiver or a producer wrote into it', () => {
    const body = `{"name":"O'Brien $(touch /tmp/x) \`id\` \\\\n"}\n@file`;
    const url = "https://example.com/?a='&b=$HOME";
    const command = curlOf({ method: 'POST', url, headers: [{ name: 'X-Note', value: "it's; rm *" }], body });
    expect(wordsOf(command)).toEqual([
      '--request',
      'POST',
      url,
      '--header',
      "X-Note: it's; rm *",
      '--data-raw',
      body,
    ]);
  });

  it('names the variable of the key in a call of the API, and no key', () => {
    const command = curlOfCall('http://127.0.0.1:8080', { method: 'POST', path: '/v1/x', body: { a: 1 } });
    expect(command).toContain('"Authorization: Bearer $ENTREGA_KEY"');
    expect(wordsOf(command)).toContain('{"a":1}');
  });
});
