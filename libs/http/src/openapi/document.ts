import { type Role, ROLES } from '#domain/principal.js';
import type { Type } from '@nestjs/common';
import { ROUTE_ARGS_METADATA, RouteParamtypes } from '@nestjs/common/internal';
import { z } from 'zod';
import { type Access, ACCESS_METADATA, allows } from '../access.js';
import { BODY_LIMIT_METADATA, DEFAULT_BODY_LIMIT_BYTES } from '../body-rules.js';
import { declared, type Route, routesOf } from '../routes.js';
import { API_RULES } from './api-rules.js';
import { type JsonSchema, SchemaCollection } from './json-schema.js';
import {
  type AnswerDescription,
  OPERATION_METADATA,
  type OperationDescription,
  type Topic,
  TOPIC_METADATA,
} from './operation.js';
import { HEADERS, RefusalResponses, refusalsOf } from './refusals.js';

/** An OpenAPI 3.1 document, as far as those who make and show it look into it. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly Topic[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, JsonSchema>>;
    readonly headers: typeof HEADERS;
    readonly securitySchemes: JsonSchema;
  };
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly Role[]>>[];
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: OpenApiBody;
  /** By status; refusals are references to components. */
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface OpenApiBody {
  readonly description: string;
  readonly required: boolean;
  readonly content: Readonly<
    Record<string, { schema: JsonSchema; examples?: Record<string, { value: unknown }> }>
  >;
}

const SECURITY_SCHEME = 'apiKey';

/**
 * The documentation of everything that the controllers answer, from their decorators and schemas.
 *
 * @throws naming every route that has no `@Operation` or stands under no `@Topic`
 */
export function openApiDocument(controllers: readonly Type[]): OpenApiDocument {
  const routes = controllers.flatMap(routesOf).sort(byPath);
  const undocumented = routes.filter(
    (route) => !declared(OPERATION_METADATA, route) || !declared(TOPIC_METADATA, route),
  );
  if (undocumented.length > 0) {
    const names = undocumented.map(({ method, path }) => `${method} ${path}`);
    throw new Error(`What do these routes do? Give each @Operation and @Topic: ${names.join(', ')}.`);
  }
  const schemas = new SchemaCollection();
  const refusals = new RefusalResponses(schemas);
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  const topics = new Map<string, Topic>();
  for (const route of routes) {
    const topic = declared<Topic>(TOPIC_METADATA, route)!;
    topics.set(topic.name, topic);
    const path = (paths[route.path.replaceAll(/:(\w+)/g, '{$1}')] ??= {});
    path[route.method.toLowerCase()] = operationOf(route, topic, schemas, refusals);
  }
  return {
    openapi: '3.1.1',
    info: { title: 'entrega', version: '1', description: API_RULES },
    tags: [...topics.values()].sort((a, b) => a.name.localeCompare(b.name, 'en')),
    paths,
    components: {
      schemas: schemas.components(),
      responses: refusals.components(),
      headers: HEADERS,
      securitySchemes: {
        [SECURITY_SCHEME]: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key. Its role is one of ${ROLES.join(', ')}; those named at a call may make it.`,
        },
      },
    },
  };
}

function operationOf(
  route: Route,
  topic: Topic,
  schemas: SchemaCollection,
  refusals: RefusalResponses,
): OpenApiOperation {
  const operation = declared<OperationDescription>(OPERATION_METADATA, route)!;
  const access = declared<Access>(ACCESS_METADATA, route)!;
  const parameters = [...pathParameters(route, schemas), ...queryParameters(route, schemas)];
  const body = operation.body ?? argumentsOf(route, RouteParamtypes.BODY)[0]?.schema;
  const answers = Object.entries(operation.answers).map(
    ([status, answer]) => [status, answerOf(answer, access, schemas)] as const,
  );
  return {
    operationId: operation.id,
    summary: operation.summary,
    ...(operation.description !== undefined && { description: operation.description }),
    tags: [topic.name],
    // Any one of them is enough.
    security:
      access === 'open'
        ? []
        : ROLES.filter((role) => allows(access, role)).map((role) => ({ [SECURITY_SCHEME]: [role] })),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: bodyOf(body, route, operation, schemas) }),
    responses: { ...Object.fromEntries(answers), ...refusals.of(refusalsOf(route, operation), operation) },
  };
}

function answerOf(
  { description, schema, contentType = 'application/json', location }: AnswerDescription,
  access: Access,
  schemas: SchemaCollection,
): JsonSchema {
  const headers: (keyof typeof HEADERS)[] = [
    'X-Request-Id',
    ...(location ? (['Location'] as const) : []),
    ...(access === 'open' ? [] : (['RateLimit-Policy', 'RateLimit'] as const)),
  ];
  return {
    description,
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(schema && { content: { [contentType]: { schema: schemas.answer(schema) } } }),
  };
}

function bodyOf(
  schema: z.ZodType,
  route: Route,
  { bodyExamples }: OperationDescription,
  schemas: SchemaCollection,
): OpenApiBody {
  const limitBytes = declared<number>(BODY_LIMIT_METADATA, route) ?? DEFAULT_BODY_LIMIT_BYTES;
  const media = {
    schema: schemas.request(schema),
    ...(bodyExamples && {
      examples: Object.fromEntries(Object.entries(bodyExamples).map(([name, value]) => [name, { value }])),
    }),
  };
  return {
    description: `At most ${limitBytes / 1024} KiB.`,
    required: !schema.safeParse(undefined).success,
    content: {
      'application/json': media,
      ...(route.method === 'PATCH' && { 'application/merge-patch+json': media }),
    },
  };
}

function pathParameters(route: Route, schemas: SchemaCollection): OpenApiParameter[] {
  return argumentsOf(route, RouteParamtypes.PARAM).map(({ data, schema }) => {
    const { description, ...converted } = schemas.request(schema);
    return { name: data!, in: 'path', required: true, ...described(description), schema: converted };
  });
}

function queryParameters(route: Route, schemas: SchemaCollection): OpenApiParameter[] {
  const [query] = argumentsOf(route, RouteParamtypes.QUERY);
  if (!query) return [];
  const { properties = {}, required = [] } = schemas.request(query.schema) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    ...described(description),
    // Several values stand in one parameter, separated by commas.
    ...(schema['type'] === 'array' && { style: 'form', explode: false }),
    schema,
  }));
}

function described(description: unknown): { description?: string } {
  return typeof description === 'string' ? { description } : {};
}

/** What the handler takes of one part of a request: keys look like `4:0`, type:index. */
function argumentsOf(
  { controller, name }: Route,
  type: RouteParamtypes,
): { data: string | undefined; schema: z.ZodType }[] {
  const all = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) ?? {}) as Record<
    string,
    { index: number; data?: string; schema?: unknown }
  >;
  return Object.entries(all)
    .filter(([key]) => key.startsWith(`${type}:`))
    .sort(([, a], [, b]) => a.index - b.index)
    .map(([, { data, schema }]) => {
      if (schema instanceof z.ZodType) return { data, schema };
      throw new Error(`${controller.name}.${name} takes something of the request without a schema.`);
    });
}

function byPath(a: Route, b: Route): number {
  return a.path.localeCompare(b.path, 'en') || a.method.localeCompare(b.method, 'en');
}
