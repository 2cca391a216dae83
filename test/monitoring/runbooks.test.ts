import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { LOOPS } from '#observability/metrics/loop-metrics.js';
import { alerts, read } from './rule-files.js';

const FOLDER = 'docs/runbooks';
const PAGES = readdirSync(new URL(`../../${FOLDER}`, import.meta.url)).filter((file) => file !== 'README.md');
const INDEX = read(`${FOLDER}/README.md`);
const CLI = read('docs/reference/cli.md');
const PATHS = Object.keys((JSON.parse(read('docs/reference/openapi.json')) as { paths: object }).paths);

/** Every `npx entrega …` of a page, in blocks and in sentences. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/npx entrega ([^`\n]+)/g)].map(([, command]) => command!.trim());
}

/** What the reference says of a command, which may have two words; undefined where there is none. */
function referenceOf(command: string): string | undefined {
  const [first, second] = command.split(' ');
  const sections = CLI.split('\n## ').map((section) => section.split(/\n([^]*)/));
  return (sections.find(([title]) => title === `${first} ${second}`) ??
    sections.find(([title]) => title === first))?.[1];
}

describe('runbooks', () => {
  it.each(alerts())('$name has its page, and stands in the index', ({ name, severity, runbook }) => {
    expect(PAGES.map((page) => `${FOLDER}/${page}`)).toContain(runbook);
    const page = runbook.slice(FOLDER.length + 1);
    expect(INDEX).toMatch(new RegExp(`\`${name}\` +\\| ${severity} +\\| \\[[\\w-]+\\]\\(${page}\\)`));
    expect(read(runbook)).toContain(`\`${name}\``);
  });

  it.each(PAGES)('%s begins with the call to make, over the command line or HTTP', (page) => {
    expect(read(`${FOLDER}/${page}`)).toMatch(/^# [^\n]+\n\n```sh\n(npx entrega|curl) /);
  });

  it.each(PAGES)('%s is short, says what not to do, and stands in the index', (page) => {
    const text = read(`${FOLDER}/${page}`);
    expect(text.split('\n').length).toBeLessThanOrEqual(41);
    for (const part of ['**What it means.**', '**A or B.**', '**Do not**']) expect(text).toContain(part);
    expect(INDEX).toContain(`(${page})`);
  });

  it.each([...PAGES, 'README.md'])('%s calls what there is', (page) => {
    const text = read(`${FOLDER}/${page}`);
    for (const command of commandsIn(text).filter((one) => one !== '…')) {
      const reference = referenceOf(command);
      expect([command, reference !== undefined]).toEqual([command, true]);
      for (const [option] of command.matchAll(/--[a-z-]+/g)) expect(reference).toContain(`  ${option} `);
    }
    for (const [, path] of text.matchAll(/(?:\$ENTREGA_(?:URL|OPS)|GET )(\/[\w/-]*)/g)) {
      const known = PATHS.map((template) => template.replaceAll(/\{\w+\}/g, '[A-Z]+'));
      expect([path, known.some((pattern) => new RegExp(`^${pattern}$`).test(path!))]).toEqual([path, true]);
    }
  });

  it.each(LOOPS)('say what is missing without the loop %s', (loop) => {
    expect(read(`${FOLDER}/loop-stuck.md`)).toMatch(new RegExp(`^\\| [^|]*\`${loop}\``, 'm'));
  });
});
