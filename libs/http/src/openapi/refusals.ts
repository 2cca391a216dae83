import { ERROR_CATALOGUE, type ErrorCode } from '#domain/errors.js';
import { ROLES } from '#domain/principal.js';
import { z } from 'zod';
import { type Access, ACCESS_METADATA, allows } from '../access.js';
import { PROBLEM_CONTENT_TYPE, problemSchema } from '../problem.js';
import { declared, type Route } from '../routes.js';
import type { JsonSchema, SchemaCollection } from './json-schema.js';
import type { OperationDescription } from './operation.js';

/** Methods whose body the server reads, even where it is then refused because nobody takes it. */
const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Everything that the route may refuse with, those of its kind and its own, in the catalogue's order. */
export function refusalsOf(route: Route, operation: OperationDescription): ErrorCode[] {
  const access = declared<Access>(ACCESS_METADATA, route)!;
  const codes = new Set<ErrorCode>([
    'MALFORMED_REQUEST',
    'REQUEST_TIMEOUT',
    'VALIDATION_FAILED',
    'HEADERS_TOO_LARGE',
    'INTERNAL',
    ...(operation.refusals ?? []),
  ]);
  const add = (...more: ErrorCode[]) => more.forEach((code) => codes.add(code));
  if (METHODS_WITH_BODY.includes(route.method))
    add('NOT_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (route.path.includes(':')) add('NOT_FOUND');
  if (access !== 'open') {
    add('UNAUTHENTICATED', 'TOO_MANY_REQUESTS', 'UNAVAILABLE');
    if (ROLES.some((role) => !allows(access, role))) add('FORBIDDEN');
  }
  return (Object.keys(ERROR_CATALOGUE) as ErrorCode[]).filter((code) => codes.has(code));
}

/** Response components, each shared by all routes that refuse with the same codes of a status. */
export class RefusalResponses {
  private readonly responses = new Map<string, JsonSchema>();

  constructor(private readonly schemas: SchemaCollection) {}

  /** The responses of an operation by status, as references. */
  of(codes: readonly ErrorCode[], operation: OperationDescription): Record<string, JsonSchema> {
    const byStatus = Map.groupBy(codes, (code) => ERROR_CATALOGUE[code].status);
    return Object.fromEntries(
      [...byStatus].map(([status, codes]) => [status, this.reference(status, codes, operation)]),
    );
  }

  components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.responses].sort(([a], [b]) => a.localeCompare(b, 'en')));
  }

  private reference(status: number, codes: ErrorCode[], operation: OperationDescription): JsonSchema {
    const name = codes.map(pascalCase).join('Or');
    if (!this.responses.has(name)) this.responses.set(name, this.response(status, codes, operation));
    return { $ref: `#/components/responses/${name}` };
  }

  private response(status: number, codes: ErrorCode[], operation: OperationDescription): JsonSchema {
    const members = Object.assign(
      {},
      ...codes.map((code) => operation.refusalMembers?.[code]),
    ) as z.ZodRawShape;
    const { properties } = this.schemas.answer(z.object(members).partial()) as { properties: object };
    return {
      description: codes.map((code) => `\`${code}\`: ${ERROR_CATALOGUE[code].title}.`).join('\n\n'),
      headers: headersOf(status),
      content: {
        [PROBLEM_CONTENT_TYPE]: {
          schema: {
            ...this.schemas.answer(problemSchema),
            properties: { status: { const: status }, code: { enum: codes }, ...properties },
          },
        },
      },
    };
  }
}

function headersOf(status: number): JsonSchema {
  return {
    ...header('X-Request-Id'),
    ...(status === 401 && header('WWW-Authenticate')),
    ...((status === 429 || status === 503) && header('Retry-After')),
    ...(status === 429 && { ...header('RateLimit-Policy'), ...header('RateLimit') }),
  };
}

function header(name: keyof typeof HEADERS): JsonSchema {
  return { [name]: { $ref: `#/components/headers/${name}` } };
}

/** Of answers; `components.headers` of the document. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'Names the request in our log.',
    schema: { type: 'string', examples: ['9f2c1d77a0b3-4x'] },
  },
  Location: {
    description: 'Where the result is.',
    schema: { type: 'string', format: 'uri-reference', examples: ['/v1/applications/acme'] },
  },
  'WWW-Authenticate': { description: 'How to say who calls.', schema: { const: 'Bearer' } },
  'Retry-After': {
    description: 'Seconds after which the same request may succeed.',
    schema: { type: 'string', pattern: '^\\d+$', examples: ['1'] },
  },
  'RateLimit-Policy': {
    description: 'How many requests a second the key may make. Absent where the key has no limit.',
    schema: { type: 'string', examples: ['"default";q=100;w=1'] },
  },
  RateLimit: {
    description:
      'How many requests are left (`r`), and in how many seconds there are more (`t`). Absent where the key has no limit.',
    schema: { type: 'string', examples: ['"default";r=50;t=1'] },
  },
} as const;

function pascalCase(code: string): string {
  return code
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
}
