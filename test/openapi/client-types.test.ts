import { readFile, writeFile } from 'node:fs/promises';
import { openApiDocument } from '#http/openapi/document.js';
import { expect, it } from '@jest/globals';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { API_CONTROLLERS } from '../support/api-controllers.js';

const GENERATED = new URL('../../libs/client/src/api-types.generated.ts', import.meta.url);
const HEAD = '/** Generated from the API; the tests write it with UPDATE_GENERATED=1. */\n\n';

it('the types of the client are those of the API (UPDATE_GENERATED=1 writes them)', async () => {
  const document = JSON.stringify(openApiDocument(API_CONTROLLERS.standalone));
  const text = HEAD + astToString(await openapiTypescript(document));
  if (process.env['UPDATE_GENERATED'] === '1') await writeFile(GENERATED, text);
  expect(await readFile(GENERATED, 'utf8')).toBe(text);
});
