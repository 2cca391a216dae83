import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { RawReceiver, response } from '../../../test/receivers/raw-receiver.js';

const loader = fileURLToPath(new URL('../../../test/support/source-loader.mjs', import.meta.url));

/** POSTs to 150 hosts at once, twice, each time other hosts, and tells how they ended. */
const script = (port: number) => `
  import { OutboundClient } from '#outbound/outbound-client.js';
  const client = new OutboundClient({ allowPrivateCidrs: ['127.0.0.0/8'] });
  const results = {};
  for (const round of [1, 2]) {
    const hosts = Array.from({ length: 150 }, (_, index) => '127.1.' + round + '.' + (index + 1));
    await Promise.all(hosts.map(async (host) => {
      const result = await client.post({
        url: 'http://' + host + ':${port}/', headers: [], body: Buffer.from('{}'),
        connectTimeoutMs: 5000, responseTimeoutMs: 5000,
      });
      const code = result.error?.code ?? result.httpStatus;
      results[code] = (results[code] ?? 0) + 1;
    }));
  }
  console.log(JSON.stringify({ results, idle: client.stats.idleConnections }));
  await client.close();`;

it('keeps so few idle connections that those in use find descriptors, however few there are', async () => {
  const receiver = await RawReceiver.start((socket) => socket.write(response('200 OK', 'ok')), {
    host: '0.0.0.0',
  });
  try {
    const limited = ['-c', 'ulimit -n 256; exec "$0" "$@"', process.execPath, '--import', loader];
    const { stdout } = await promisify(execFile)('sh', [
      ...limited,
      '--input-type=module',
      '-e',
      script(receiver.port),
    ]);
    expect(JSON.parse(stdout)).toEqual({ results: { 200: 300 }, idle: 64 });
  } finally {
    await receiver.stop();
  }
});
