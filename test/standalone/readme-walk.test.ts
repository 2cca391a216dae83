import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { ADMIN_KEY, StandaloneProcess } from '../support/standalone-process.js';
import { freePort } from '../support/free-port.js';
import { markedBlock } from '../support/marked-block.js';
import { createTestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

const ROOT = new URL('../../', import.meta.url);
const MAX_LINES = 10;

it('the walk of the README works as printed, in under ten lines', async () => {
  const lines = markedBlock('README.md', 'walk').trim().split('\n');
  expect(lines.length).toBeLessThan(MAX_LINES);

  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'entrega-walk-'));
  const standalone = await StandaloneProcess.start({ databaseUrl: database.url, dataDir });
  const port = await freePort();
  const receiver = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('scripts/receive.mjs', ROOT)),
      ...['--port', String(port), '--secret', 'demo-secret-0123456789', '--token', 'demo-token'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const printed: string[] = [];
  createInterface({ input: receiver.stdout }).on('line', (line) => printed.push(line));
  try {
    await until(() => printed.some((line) => line.startsWith('Receiving on')));
    const script = lines
      .join('\n')
      .replaceAll('http://127.0.0.1:8080', standalone.url)
      .replaceAll('127.0.0.1:9000', `127.0.0.1:${port}`)
      .replaceAll('$(cat .entrega/admin.key)', ADMIN_KEY);
    const walk = await new Promise<string>((resolve, reject) => {
      const shell = spawn('sh', ['-e', '-c', script], { stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [shell.stdout, shell.stderr])
        stream.on('data', (text) => (output += String(text)));
      shell.once('error', reject);
      shell.once('exit', () => resolve(output));
    });
    const answers = walk
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as object] : []));
    expect(answers).toMatchObject([
      { id: 'acme', issuedCredentials: { secret: 'demo-secret-0123456789' } },
      { webhook: true, state: 'active' },
      { id: 'evt-1', deliveryCount: 1 },
      { id: 'evt-2', deliveryCount: 1 },
      { items: [{ event: 'evt-2', state: 'dead', attemptCount: 3, lastHttpStatus: 500 }] },
      { kind: 'dead-letters', matched: 1 },
      { id: 'evt-2', deliveries: [{ state: 'delivered', cycle: 2, attemptCount: 4 }] },
    ]);
    const deliveries = printed.filter((line) => line.includes('answered'));
    expect(deliveries.filter((line) => line.includes('evt-1'))).toHaveLength(1);
    expect(deliveries.filter((line) => line.includes('evt-2'))).toHaveLength(4);
    expect(deliveries.filter((line) => line.includes('NOT VERIFIED'))).toEqual([]);
    expect(deliveries.filter((line) => line.includes(' verified '))).toHaveLength(6);
  } finally {
    receiver.kill();
    await standalone.end('SIGTERM');
    await rm(dataDir, { recursive: true, force: true });
    await database.drop();
  }
}, 60_000);

it('the receiver names what it does not understand and how to call it', () => {
  const receive = (...options: string[]) =>
    spawnSync(process.execPath, [fileURLToPath(new URL('scripts/receive.mjs', ROOT)), ...options], {
      encoding: 'utf8',
    });
  const refused = receive('--answer', 'maybe');
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain('--answer maybe is none of a status');
  expect(receive('--nonsense').stderr).toContain('Usage: npm run receive');
});
