import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { AUDIT_ACTIONS } from '#domain/audit.js';
import { ERROR_CATALOGUE } from '#domain/errors.js';
import { type Access, ACCESS_METADATA } from '#http/access.js';
import { declared, type Route, routesOf } from '#http/routes.js';
import { API_CONTROLLERS } from './support/api-controllers.js';

const REFERENCE = new URL('../docs/reference/api.md', import.meta.url);

function rowOf(route: Route): string {
  const access = declared<Access>(ACCESS_METADATA, route)!;
  return `| \`${route.method} ${route.path}\` | ${access === 'open' ? 'anybody' : access.join(', ')} |`;
}

function generated(): Record<string, string[]> {
  const routes = API_CONTROLLERS.standalone.flatMap(routesOf).map(rowOf);
  const byPath = (row: string) => row.replace(/^\| `[A-Z]+ /, '');
  routes.sort((a, b) => byPath(a).localeCompare(byPath(b), 'en') || a.localeCompare(b, 'en'));
  return {
    routes: ['| route | roles beside `admin` |', '|---|---|', ...routes],
    actions: [
      '| action | what was done |',
      '|---|---|',
      ...Object.entries(AUDIT_ACTIONS).map(([action, meaning]) => `| \`${action}\` | ${meaning} |`),
    ],
    codes: [
      '| code | status | the same call may succeed later | |',
      '|---|---|---|---|',
      ...Object.entries(ERROR_CATALOGUE).map(
        ([code, { status, retriable, title }]) =>
          `| \`${code}\` | ${status} | ${retriable ? 'yes' : ''} | ${title} |`,
      ),
    ],
  };
}

it('docs/reference/api.md names every route with its roles, every action of the audit and every code (UPDATE_GENERATED=1 writes it)', async () => {
  const present = await readFile(REFERENCE, 'utf8');
  let expected = present;
  for (const [name, lines] of Object.entries(generated())) {
    const block = new RegExp(`(<!-- generated: ${name} -->\n)[\\s\\S]*?(<!-- /generated -->)`);
    expect(present).toMatch(block);
    expected = expected.replace(
      block,
      (_, start: string, end: string) => `${start}\n${lines.join('\n')}\n\n${end}`,
    );
  }
  if (process.env['UPDATE_GENERATED'] === '1') await writeFile(REFERENCE, expected);
  expect(await readFile(REFERENCE, 'utf8')).toBe(expected);
});
