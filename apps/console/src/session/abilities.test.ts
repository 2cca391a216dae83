import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { mayCall, OPERATIONS, type Role } from './abilities.js';

interface Documented {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { operationId: string; security: object[] }>>>
  >;
}

const ROLES: readonly Role[] = ['producer', 'manager', 'operator', 'admin'];

it('shows a role what the API lets it do, and nothing else', async () => {
  const file = new URL('../../../../docs/reference/openapi.json', import.meta.url);
  const { paths } = JSON.parse(await readFile(file, 'utf8')) as Documented;
  const documented = new Map(
    Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .map(({ operationId, security }) => [
        operationId,
        security.flatMap((one) => Object.values(one as Record<string, string[]>)).flat(),
      ]),
  );
  for (const operation of OPERATIONS) {
    const may = ROLES.filter((role) => mayCall(role, operation));
    expect([operation, may]).toEqual([operation, documented.get(operation)]);
  }
});
