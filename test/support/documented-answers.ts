import type { OpenApiDocument } from '#http/openapi/document.js';
import { openApiDocument } from '#http/openapi/document.js';
import { PROBLEM_CONTENT_TYPE } from '#http/problem.js';
import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { API_CONTROLLERS } from './api-controllers.js';
import { type SchemaValidator, schemaValidator } from './schema-validator.js';

/** An answer as it went over the wire. */
export interface WireAnswer {
  readonly method: string;
  /** The path of the document: `/v1/endpoints/{id}`; null where no route was met. */
  readonly path: string | null;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}

interface DocumentedResponse {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

/** What may be answered where no route was met, or the method is not one of the path. */
const WITHOUT_ROUTE = [400, 404, 405, 408, 413, 414, 415, 431];

/** Holds answers to the documentation of the whole API. */
export class DocumentedAnswers {
  readonly document: OpenApiDocument = openApiDocument(API_CONTROLLERS.standalone);
  private readonly validator: SchemaValidator = schemaValidator(this.document, { closed: true });

  /** What is wrong with the answer, in words; none where it is as documented. */
  faultsOf(answer: WireAnswer): string[] {
    const { method, path, status, contentType, body } = answer;
    const call = `${method} ${path ?? '(no route)'} answered ${status}`;
    const operation = path === null ? undefined : this.document.paths[path]?.[methodOf(method)];
    if (operation === undefined && !WITHOUT_ROUTE.includes(status))
      return [`${call}, and no call is documented`];
    const response = operation ? this.responseOf(operation.responses[status]) : this.problem;
    if (response === undefined) return [`${call}, which is not documented`];
    const [type, media] = Object.entries(response.content ?? {})[0] ?? [];
    if (method === 'HEAD') return [];
    if (type === undefined || media === undefined) {
      return body === '' ? [] : [`${call} with a body that is not documented: ${body.slice(0, 200)}`];
    }
    if (contentType?.split(';')[0] !== type) return [`${call} as ${contentType}, and ${type} is documented`];
    if (!type.endsWith('json')) return [];
    const faults = this.validator.faultsOf(media.schema, JSON.parse(body));
    return faults.map((fault) => `${call} with ${fault} in ${body.slice(0, 300)}`);
  }

  private responseOf(response: unknown): DocumentedResponse | undefined {
    const { $ref } = (response ?? {}) as { $ref?: string };
    const found = $ref === undefined ? response : this.document.components.responses[$ref.split('/').at(-1)!];
    return found as DocumentedResponse | undefined;
  }

  private get problem(): DocumentedResponse {
    return { content: { [PROBLEM_CONTENT_TYPE]: { schema: this.document.components.schemas['Problem']! } } };
  }
}

function methodOf(method: string): string {
  return method === 'HEAD' ? 'get' : method.toLowerCase();
}

/** Made once for all applications of a test file: compiling its schemas takes a moment. */
let shared: DocumentedAnswers | undefined;

/** Looks at every answer of the application that imports it. */
@Module({})
export class AnswerCheck implements OnModuleInit {
  readonly faults: string[] = [];

  constructor(private readonly adapterHost: HttpAdapterHost) {}

  onModuleInit(): void {
    const documented = (shared ??= new DocumentedAnswers());
    const server = this.adapterHost.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onSend', async (request, reply, payload) => {
      this.faults.push(...documented.faultsOf(wireAnswer(request, reply, payload)));
      return payload;
    });
  }
}

function wireAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): WireAnswer {
  const url = request.is404 ? undefined : request.routeOptions.url;
  const contentType = reply.getHeader('content-type');
  return {
    method: request.method,
    path: url?.replaceAll(/:(\w+)/g, '{$1}') ?? null,
    status: reply.statusCode,
    contentType: contentType === undefined ? undefined : String(contentType),
    body: payload === undefined || payload === null ? '' : String(payload),
  };
}
