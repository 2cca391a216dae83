import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../support/until.js';

const KEY = 'key-that-must-not-be-shown';
const REPLAY = {
  id: '7',
  kind: 'endpoint',
  filter: { states: ['dead'] },
  state: 'running',
  matched: 9,
  queued: 1,
  skipped: 0,
  ratePerSecond: null,
  failure: null,
  createdBy: 'test',
  createdAt: '2026-01-31T12:00:00.000Z',
  finishedAt: null,
};

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const LOADER = file('../support/source-loader.mjs');
const MAIN = file('../../apps/cli/src/main.ts');

let folder: string;
let server: Server;
let url: string;

/** What the API would answer, as far as these runs get: everything else of it is tested with the real one. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'entrega-cli-'));
  server = createServer((request, response) => {
    const dry = request.url!.includes('endpoints');
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const preview = { matched: 9, oldest: REPLAY.createdAt, newest: REPLAY.createdAt, byEndpoint: [] };
      const items = Array.from({ length: 200 }, () => REPLAY);
      const list = { items, nextCursor: null };
      const answer = dry
        ? body.includes('"dryRun":true')
          ? preview
          : REPLAY
        : request.url!.endsWith('/7')
          ? REPLAY
          : list;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

interface Ended {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

function start(
  args: readonly string[],
  env: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<Ended>; seen: { err: string } } {
  const child = spawn(process.execPath, ['--import', LOADER, MAIN, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ENTREGA_URL: url, ENTREGA_KEY: KEY, ...env },
  });
  const seen = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (seen.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (seen.err += text));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (exitCode) => resolve({ exitCode, ...seen }));
  });
  return { child, ended, seen };
}

describe('the process', () => {
  it('writes data to standard output, the rest to standard error, and ends with the documented codes', async () => {
    const runs = [
      start(['replays', 'list', '--json']),
      start(['stats'], { ENTREGA_URL: 'http://127.0.0.1:9' }),
      start(['replays', 'lst']),
      start(['replays', 'list', '--key-file', 'no-such-file'], { ENTREGA_KEY: '' }),
      start(['--help'], { ENTREGA_KEY: '' }),
    ];
    const [listed, unreachable, wrong, keyless, help] = await Promise.all(runs.map(({ ended }) => ended));
    expect([listed!.exitCode, listed!.err, (JSON.parse(listed!.out) as unknown[]).length]).toEqual([
      0,
      expect.stringContaining('more than these 50'),
      50,
    ]);
    expect(unreachable).toMatchObject({ exitCode: 3, out: '' });
    expect(wrong).toMatchObject({ exitCode: 2, out: '' });
    expect(keyless).toMatchObject({ exitCode: 2, out: '', err: expect.stringContaining('--key-file: ') });
    expect(help).toMatchObject({ exitCode: 0, err: '', out: expect.stringContaining('Ends with:') });
    expect(JSON.stringify([listed, unreachable, wrong])).not.toContain(KEY);
  });

  it('names the key that a standalone process left here, and does not take it', async () => {
    await mkdir(join(folder, '.entrega'));
    await writeFile(join(folder, '.entrega/admin.key'), KEY, { mode: 0o600 });
    const { exitCode, err } = await start(['stats'], { ENTREGA_KEY: '' }).ended;
    expect(exitCode).toBe(2);
    expect(err).toContain("export ENTREGA_KEY_FILE='.entrega/admin.key'");
  });

  it('leaves a replay on Ctrl-C with 130 and says how to look again or end it', async () => {
    const run = start(['replay', '251604938752001', '--since', '1h', '--states', 'dead', '--yes']);
    await until(() => run.seen.err.includes('Replay 7: 1 of 9'), { timeoutMs: 10_000 });
    run.child.kill('SIGINT');
    expect(await run.ended).toMatchObject({
      exitCode: 130,
      out: '',
      err: expect.stringContaining('entrega replays cancel 7'),
    });
  });

  it('ends in peace when nobody reads any more', async () => {
    const run = start(['replays', 'list', '--json', '--limit', '10000']);
    run.child.stdout!.destroy();
    expect(await run.ended).toMatchObject({ exitCode: 0, err: '' });
  });

  it.each(['bash', 'zsh'])(
    'prints a completion script for %s, which completes commands and options',
    async (shell) => {
      const env = { SHELL: `/bin/${shell}` };
      const script = await start(['completion'], env).ended;
      expect(script.exitCode).toBe(0);
      expect(script.out).toContain(shell === 'bash' ? 'complete -o' : '#compdef entrega');
      if (shell === 'bash') {
        expect(spawnSync('bash', ['-n'], { input: script.out, encoding: 'utf8' })).toMatchObject({
          status: 0,
          stderr: '',
        });
      }
      const complete = async (...words: string[]) =>
        (await start(['--get-yargs-completions', 'entrega', ...words], env).ended).out;
      expect(await complete('dead-letters', '')).toMatch(/^redeliver(:|$)/m);
      expect(await complete('dead-letters', 'redeliver', '--')).toMatch(/^--rate(:|$)/m);
    },
  );
});

describe('npx entrega', () => {
  it('says what compiles it where it is not compiled, and runs what was compiled', async () => {
    const checkout = join(folder, 'checkout');
    const launcher = join(checkout, 'scripts/entrega.mjs');
    await cp(file('../../scripts/entrega.mjs'), launcher);
    const launch = () => spawnSync(process.execPath, [launcher], { encoding: 'utf8' });
    expect(launch()).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('npm run build'),
    });
    await mkdir(join(checkout, 'dist/apps/cli/src'), { recursive: true });
    await writeFile(join(checkout, 'dist/apps/cli/src/main.js'), 'console.log("compiled")');
    expect(launch()).toMatchObject({ status: 0, stdout: 'compiled\n' });
  });
});
