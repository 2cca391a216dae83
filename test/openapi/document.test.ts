import { readFile, writeFile } from 'node:fs/promises';
import { Open, Roles } from '#http/access.js';
import { docsPage } from '#http/openapi/docs-page.js';
import { openApiDocument } from '#http/openapi/document.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { problemSchema } from '#http/problem.js';
import { describe, expect, it } from '@jest/globals';
import { Controller, Get, Post } from '@nestjs/common';
import { Validator } from '@seriousme/openapi-schema-validator';
import { API_CONTROLLERS } from '../support/api-controllers.js';
import { schemaValidator } from '../support/schema-validator.js';

const REFERENCE = new URL('../../docs/reference/openapi.json', import.meta.url);
const DOCUMENTS = Object.entries(API_CONTROLLERS).map(
  ([process, controllers]) => [process, openApiDocument(controllers)] as const,
);
const whole = DOCUMENTS.find(([process]) => process === 'standalone')![1];

interface Media {
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** Every place of the document that has a schema and examples of it. */
function examplesIn(value: unknown, path = ''): [string, object, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  const found: [string, object, unknown][] = Object.entries(value).flatMap(([name, child]) =>
    // What stands under examples is a value, whatever its keys are called.
    name === 'examples' ? [] : examplesIn(child, `${path}/${name}`),
  );
  if ('schema' in value && 'examples' in value) {
    const { schema, examples } = value as Media;
    for (const [name, example] of Object.entries(examples!)) {
      found.push([`${path}/examples/${name}`, schema, example.value]);
    }
  } else if (Array.isArray((value as { examples?: unknown }).examples)) {
    for (const example of (value as { examples: unknown[] }).examples) {
      found.push([`${path}/examples`, value, example]);
    }
  }
  return found;
}

describe('the OpenAPI document', () => {
  it.each(DOCUMENTS)('of %s is valid by the official schema of OpenAPI 3.1', async (_, document) => {
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
    expect(result).toEqual({ valid: true });
  });

  it('is the committed one (UPDATE_GENERATED=1 writes it)', async () => {
    const text = `${JSON.stringify(whole, null, 2)}\n`;
    if (process.env['UPDATE_GENERATED'] === '1') await writeFile(REFERENCE, text);
    expect(await readFile(REFERENCE, 'utf8')).toBe(text);
  });

  it('has schemas that a strict validator of JSON Schema 2020-12 takes, and examples that they take', () => {
    const validator = schemaValidator(whole);
    const examples = examplesIn(whole);
    expect(examples.length).toBeGreaterThan(40);
    for (const [path, schema, example] of examples) {
      expect([path, validator.faultsOf(schema, example)]).toEqual([path, []]);
    }
  });

  it('gives every call that takes a body an example of it', () => {
    const without = Object.values(whole.paths)
      .flatMap((path) => Object.values(path))
      .filter(({ requestBody }) => requestBody && !Object.values(requestBody.content)[0]!.examples)
      .map(({ operationId }) => operationId);
    expect(without).toEqual([]);
  });

  it('of ingest has its own calls and no others', () => {
    const [, ingest] = DOCUMENTS.find(([process]) => process === 'ingest')!;
    expect(Object.keys(ingest.paths)).toEqual([
      '/docs',
      '/docs/style.css',
      '/healthz',
      '/metrics',
      '/openapi.json',
      '/readyz',
      '/v1/events',
      '/v1/events/batch',
    ]);
  });

  it('names each call once', () => {
    const ids = Object.values(whole.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('lets the roles in that the route names, any one of them, and nobody else', () => {
    const { paths } = whole;
    expect(paths['/v1/events']!['post']!.security).toEqual([{ apiKey: ['producer'] }, { apiKey: ['admin'] }]);
    expect(paths['/healthz']!['get']!.security).toEqual([]);
    expect(paths['/openapi.json']!['get']!.security).toEqual([]);
  });

  it('shows a filter as the list that it is, and a page size as a number', () => {
    const parameters = whole.paths['/v1/deliveries']!['get']!.parameters!;
    expect(parameters.find(({ name }) => name === 'state')).toMatchObject({
      in: 'query',
      style: 'form',
      explode: false,
      schema: { type: 'array', items: { type: 'string', enum: expect.arrayContaining(['dead']) } },
    });
    expect(parameters.find(({ name }) => name === 'limit')).toMatchObject({
      schema: { type: 'integer', minimum: 1, maximum: 200 },
    });
  });

  it('refuses a route that nobody described, and names it', () => {
    @Controller('new')
    @Topic('New', 'Things.')
    @Roles('manager')
    class NewController {
      @Get(':id')
      one() {}

      @Post()
      @Operation({ id: 'x', summary: 'x', answers: { 201: { description: 'Made.' } } })
      create() {}
    }
    expect(() => openApiDocument([NewController])).toThrow('GET /new/:id');
    @Controller('other')
    @Open()
    class WithoutTopicController {
      @Get()
      @Operation({ id: 'y', summary: 'y', answers: { 200: { description: 'x', schema: problemSchema } } })
      one() {}
    }
    expect(() => openApiDocument([WithoutTopicController])).toThrow('GET /other');
  });
});

describe('the page of the documentation', () => {
  const page = docsPage(whole);

  it('shows every call and every schema, and links to nothing that is not there', () => {
    const ids = new Set([...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((link) => !ids.has(link))).toEqual([]);
    for (const operation of Object.values(whole.paths).flatMap((path) => Object.values(path))) {
      expect(ids).toContain(operation.operationId);
    }
    for (const name of Object.keys(whole.components.schemas)) expect(ids).toContain(`schema-${name}`);
  });

  it('loads nothing from elsewhere and runs nothing', () => {
    expect(page).not.toMatch(/<script|<style|\sstyle=|\son\w+=|(?:src|href)="(?!#|\/(?!\/))/);
  });

  it('escapes what it shows', () => {
    const hostile = { ...whole, info: { ...whole.info, title: '<script>&"\'' } };
    expect(docsPage(hostile)).toContain('&#60;script&#62;&#38;&#34;&#39;');
    expect(docsPage(hostile)).not.toContain('<script');
  });
});
