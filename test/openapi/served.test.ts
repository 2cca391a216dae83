import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApiDocument } from '#http/openapi/document.js';
import { AdminApi } from '../support/admin-api.js';
import { API_CONTROLLERS } from '../support/api-controllers.js';

let api: AdminApi;

beforeAll(async () => {
  api = await AdminApi.start();
});
afterAll(async () => {
  await api.stop();
});

describe('the documentation', () => {
  it('is served to everybody, and is of what the process answers', async () => {
    const response = await fetch(`${api.url}/openapi.json`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(await response.json()).toEqual(
      JSON.parse(JSON.stringify(openApiDocument(API_CONTROLLERS.standalone))),
    );
  });

  it('is a page that may load its own style and nothing else', async () => {
    const page = await fetch(`${api.url}/docs`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const [, style] = /<link rel="stylesheet" href="([^"]+)"/.exec(await page.text())!;
    const sheet = await fetch(api.url + style);
    expect([sheet.status, sheet.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  });
});

describe('the answers of tests', () => {
  it('are held to the documentation: one that is not so fails the call', async () => {
    await expect(api.call('GET', '/v1/stats')).resolves.toMatchObject({ status: 200 });
    // A column that nobody documented, in the answer of a documented call.
    await api.addApplication('acme');
    await api.platform.sql(`UPDATE applications SET settings = '{"undocumented": 1}' WHERE id = 'acme'`);
    await expect(api.call('GET', '/v1/applications/acme')).rejects.toThrow('undocumented');
  });
});
