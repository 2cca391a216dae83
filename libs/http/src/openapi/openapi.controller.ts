import { Controller, Get, Header, Res } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { Open } from '../access.js';
import { controllersIn } from '../routes.js';
import { docsPage } from './docs-page.js';
import { DOCS_STYLE } from './docs-style.js';
import { openApiDocument } from './document.js';
import { Operation, Topic } from './operation.js';

/** Nothing from elsewhere, no scripts, in nobody's frame. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The documentation of what the process answers: as OpenAPI for programs, as a page for people. */
@Open()
@Topic('Documentation', 'What can be called, and how.')
@Controller()
export class OpenApiController {
  private made: { readonly json: string; readonly page: string } | undefined;

  constructor(private readonly modules: ModulesContainer) {}

  @Get('openapi.json')
  @Operation({
    id: 'getOpenApi',
    summary: 'This document',
    answers: { 200: { description: 'OpenAPI 3.1.', schema: z.looseObject({ openapi: z.string() }) } },
  })
  async document(@Res() reply: FastifyReply): Promise<void> {
    await reply.type('application/json; charset=utf-8').send(this.documentation().json);
  }

  @Get('docs')
  @Header('content-security-policy', PAGE_POLICY)
  @Header('x-content-type-options', 'nosniff')
  @Operation({
    id: 'getDocs',
    summary: 'This document as a page',
    answers: { 200: { description: 'HTML.', schema: z.string(), contentType: 'text/html' } },
  })
  async page(@Res() reply: FastifyReply): Promise<void> {
    await reply.type('text/html; charset=utf-8').send(this.documentation().page);
  }

  @Get('docs/style.css')
  @Header('x-content-type-options', 'nosniff')
  @Operation({
    id: 'getDocsStyle',
    summary: 'The style of that page',
    answers: { 200: { description: 'CSS.', schema: z.string(), contentType: 'text/css' } },
  })
  async style(@Res() reply: FastifyReply): Promise<void> {
    await reply.type('text/css; charset=utf-8').send(DOCS_STYLE);
  }

  /** Made when it is first asked for: a start should not wait for it. */
  private documentation(): { json: string; page: string } {
    if (!this.made) {
      const document = openApiDocument(controllersIn(this.modules));
      this.made = { json: JSON.stringify(document, null, 2), page: docsPage(document) };
    }
    return this.made;
  }
}
