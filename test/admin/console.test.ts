import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConsoleModule } from '#apps/admin/src/console/console.module.js';
import { createHttpApplication } from '#http/http-application.js';
import { createLogger } from '#observability/logger.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

const PAGE = '<!doctype html><title>entrega</title>';

let root: string;
const apps: NestFastifyApplication[] = [];
let url: string;

async function serve(files: string): Promise<string> {
  const logger = createLogger({ role: 'test', level: 'silent', format: 'json' });
  const app = await createHttpApplication(ConsoleModule.from(files), { logger });
  apps.push(app);
  await app.listen(0, '127.0.0.1');
  return app.getUrl();
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'entrega-console-'));
  await mkdir(join(root, 'built/assets'), { recursive: true });
  await writeFile(join(root, 'built/index.html'), PAGE);
  await writeFile(join(root, 'built/assets/index-1a2b3c.js'), 'export {};');
  await writeFile(join(root, 'outside.js'), 'secret');
  url = await serve(join(root, 'built'));
});
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  await rm(root, { recursive: true, force: true });
});

describe('the console', () => {
  it.each(['/console', '/console/', '/console/deliveries?state=dead&open=1', '/console/no/such/place'])(
    'answers %s with its page, never kept, under a policy that lets only its own files run',
    async (path) => {
      const answer = await fetch(url + path);
      expect([answer.status, await answer.text()]).toEqual([200, PAGE]);
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; " +
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
    },
  );

  it('lets its files be kept for ever: their names change with their content', async () => {
    const answer = await fetch(`${url}/console/assets/index-1a2b3c.js`);
    expect([answer.status, await answer.text()]).toEqual([200, 'export {};']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toMatch(/javascript/);
  });

  it('gives out nothing beside them', async () => {
    for (const file of ['index-gone.js', '..%2f..%2foutside.js', '%2e%2e%2f%2e%2e%2foutside.js', '%00']) {
      const answer = await fetch(`${url}/console/assets/${file}`);
      expect([file, answer.status >= 400, (await answer.text()).includes('secret')]).toEqual([
        file,
        true,
        false,
      ]);
    }
  });

  it('says how it is built where it is not', async () => {
    const answer = await fetch(`${await serve(join(root, 'nothing'))}/console/deliveries`);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('npm run build');
  });
});
