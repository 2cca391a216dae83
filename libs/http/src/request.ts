import type { Principal } from '#domain/principal.js';
import type { Span } from '@opentelemetry/api';
import type { Access } from './access.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls; absent on open routes. */
    principal?: Principal;
    /** The exact text of a JSON body, from which values can be cut as the caller wrote them. */
    rawJson?: string;
    /** Absent where nothing is traced. */
    span?: Span;
  }

  interface FastifyContextConfig {
    /** Who may call the route. A route without it stops the start. */
    access?: Access;
    /** What the body may be long, in bytes, where the route allows more than the default. */
    bodyLimitBytes?: number;
    /** Whether the handler reads the body or the query; what nobody reads is refused, not ignored. */
    takesBody?: boolean;
    takesQuery?: boolean;
    /** Whether the handler reads `rawJson` itself. */
    rawJson?: boolean;
  }
}
