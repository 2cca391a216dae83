import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** May the row import the column? Written out again here, so that the rules are checked against it. */
const MATRIX = `
                 domain client contracts config observability storage transport outbound delivery registration http migrations ingest worker admin cli console standalone
  domain         -      no     no        no     no            no      no        no       no       no           no   no         no     no     no    no  no      no
  client         no     -      no        no     no            no      no        no       no       no           no   no         no     no     no    no  no      no
  contracts      yes    no     -         no     no            no      no        no       no       no           no   no         no     no     no    no  no      no
  config         yes    no     no        -      no            no      no        no       no       no           no   no         no     no     no    no  no      no
  observability  yes    no     no        no     -             no      no        no       no       no           no   no         no     no     no    no  no      no
  storage        yes    no     no        no     no            -       no        no       no       no           no   yes        no     no     no    no  no      no
  transport      yes    no     no        no     no            no      -         no       no       no           no   no         no     no     no    no  no      no
  outbound       yes    no     no        no     no            no      no        -        no       no           no   no         no     no     no    no  no      no
  delivery       yes    no     yes       yes    yes           yes     yes       yes      -        no           no   no         no     no     no    no  no      no
  registration   yes    no     yes       yes    yes           yes     no        yes      no       -            no   no         no     no     no    no  no      no
  http           yes    no     no        yes    yes           yes     no        no       no       no           -    no         no     no     no    no  no      no
  migrations     no     no     no        no     no            no      no        no       no       no           no   -          no     no     no    no  no      no
  ingest         yes    no     yes       yes    yes           yes     yes       yes      yes      yes          yes  no         -      no     no    no  no      no
  worker         yes    no     yes       yes    yes           yes     yes       yes      yes      yes          yes  no         no     -      no    no  no      no
  admin          yes    no     yes       yes    yes           yes     yes       yes      yes      yes          yes  no         no     no     -     no  no      no
  cli            yes    yes    no        yes    no            no      no        no       no       no           no   no         no     no     no    -   no      no
  console        no     yes    no        no     no            no      no        no       no       no           no   no         no     no     no    no  -       no
  standalone     yes    no     yes       yes    yes           yes     yes       yes      yes      yes          yes  no         yes    yes    yes   no  no      -
`;

const PARTS = MATRIX.trim().split('\n', 1).join().trim().split(/\s+/);

const OUTSIDE: [from: string, imported: string, allowed: boolean][] = [
  ['domain', 'node:crypto', true],
  ['domain', 'node:net', false],
  ['domain', 'node:fs', false],
  ['domain', 'zod', false],
  ['domain', '@nestjs/common', false],
  ['domain', 'pg', false],
  ['contracts', 'zod', true],
  ['contracts', 'node:crypto', true],
  ['contracts', 'node:https', false],
  ['contracts', '@nestjs/common', false],
  ['contracts', 'undici', false],
  ['storage', 'pg', true],
  ['storage', 'fast-check', false],
  ['console', 'react', true],
  ['console', 'node:fs', false],
  ['client', 'node:timers', false],
  ['admin', 'react', false],
];

const APPS = ['ingest', 'worker', 'admin', 'cli', 'console', 'standalone'];

const repository = process.cwd();
let checkout: string;
let forbidden: Set<string>;

function folderOf(part: string): string {
  if (part === 'migrations') return 'migrations';
  return APPS.includes(part) ? `apps/${part}/src` : `libs/${part}/src`;
}

function specifierOf(part: string): string {
  return APPS.includes(part) ? `#apps/${part}/src/target.js` : `#${part}/target.js`;
}

function arrows(): { from: string; to: string; allowed: boolean }[] {
  const [header = '', ...rows] = MATRIX.trim().split('\n');
  const columns = header.trim().split(/\s+/);
  return rows.flatMap((row) => {
    const [from = '', ...cells] = row.trim().split(/\s+/);
    return columns.flatMap((to, index) =>
      from === to ? [] : [{ from, to, allowed: cells[index] === 'yes' }],
    );
  });
}

/** A checkout that breaks every rule once, in a file per import. */
beforeAll(async () => {
  checkout = await mkdtemp(join(tmpdir(), 'entrega-arrows-'));
  for (const file of ['package.json', 'tsconfig.json', '.dependency-cruiser.mjs']) {
    await cp(join(repository, file), join(checkout, file));
  }
  await symlink(join(repository, 'node_modules'), join(checkout, 'node_modules'));
  for (const { from, to } of arrows()) {
    await write(`${folderOf(from)}/target.ts`, 'export const target = 1;');
    await write(`${folderOf(from)}/to-${to}.ts`, `export type { target } from '${specifierOf(to)}';`);
  }
  for (const [from, imported] of OUTSIDE) {
    await write(`${folderOf(from)}/to-${nameOf(imported)}.ts`, `export * as outside from '${imported}';`);
  }
  await write('libs/http/src/ring-a.ts', "export { b } from './ring-b.js';");
  await write('libs/http/src/ring-b.ts', "export { a as b } from './ring-a.js';");
  await write('libs/http/src/to-nowhere.ts', "export * from './nowhere.js';");
  await write('libs/newcomer/src/to-domain.ts', "export * from '#domain/target.js';");
  await write('test/support/fixture.ts', 'export const fixture = 1;');
  await write('libs/http/src/to-test.ts', "export * from '../../../test/support/fixture.js';");
  await write('bench/fixture.ts', "export * from '#delivery/target.js';");
  await write('libs/http/src/to-bench.ts', "export * from '../../../bench/fixture.js';");
  await write('libs/http/src/free.test.ts', "export * from '#delivery/target.js';");
  await write('test/verifiers/to-domain.ts', "export * from '#domain/target.js';");
  forbidden = await violations();
});

afterAll(() => rm(checkout, { recursive: true, force: true }));

async function write(path: string, line: string): Promise<void> {
  await mkdir(dirname(join(checkout, path)), { recursive: true });
  await writeFile(join(checkout, path), `${line}\n`);
}

function nameOf(imported: string): string {
  return imported.replaceAll(/\W/g, '-');
}

/** The files that dependency-cruiser objects to. */
async function violations(): Promise<Set<string>> {
  const script = join(repository, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const report = join(checkout, 'report.json');
  const options = [
    '--output-type',
    'json',
    '--output-to',
    report,
    'apps',
    'bench',
    'libs',
    'migrations',
    'test',
  ];
  // It exits non-zero because it found something; what counts is the report.
  await promisify(execFile)(process.execPath, [script, ...options], { cwd: checkout }).catch(() => undefined);
  const { summary } = JSON.parse(await readFile(report, 'utf8')) as {
    summary: { violations: { from: string }[] };
  };
  return new Set(summary.violations.map(({ from }) => from));
}

describe('the import arrows', () => {
  it.each(PARTS)('let %s import exactly what the design says', (part) => {
    const wrong = arrows()
      .filter(({ from }) => from === part)
      .filter(({ from, to, allowed }) => forbidden.has(`${folderOf(from)}/to-${to}.ts`) === allowed);
    expect(wrong).toEqual([]);
  });

  it.each(OUTSIDE)('%s → %s: %s', (from, imported, allowed) => {
    expect(forbidden.has(`${folderOf(from)}/to-${nameOf(imported)}.ts`)).toBe(!allowed);
  });

  it('keep production code from tests and the benchmark, and leave these free', () => {
    expect(forbidden.has('libs/http/src/to-test.ts')).toBe(true);
    expect(forbidden.has('libs/http/src/to-bench.ts')).toBe(true);
    expect(forbidden.has('bench/fixture.ts')).toBe(false);
    expect(forbidden.has('libs/http/src/free.test.ts')).toBe(false);
  });

  it('forbid a verifier to share code with what it verifies', () => {
    expect(forbidden.has('test/verifiers/to-domain.ts')).toBe(true);
  });

  it('forbid cycles, imports of nothing, and libraries without a rule', () => {
    for (const file of ['http/src/ring-a.ts', 'http/src/to-nowhere.ts', 'newcomer/src/to-domain.ts']) {
      expect([file, forbidden.has(`libs/${file}`)]).toEqual([file, true]);
    }
  });
});
