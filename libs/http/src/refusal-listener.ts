import type { DomainError } from '#domain/errors.js';
import type { FastifyRequest } from 'fastify';

/**
 * Hears of everything that the process refuses, before it is answered. A module that wants to provides one under
 * this token; a process has one at most.
 */
export abstract class RefusalListener {
  /** Must not throw. `request.principal` is absent where no key was accepted, `rawJson` where no body was read. */
  abstract refused(error: DomainError, request: FastifyRequest): void;
}
