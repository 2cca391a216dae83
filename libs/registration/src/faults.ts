import { DomainError, type FieldProblem } from '#domain/errors.js';
import type { z } from 'zod';

/**
 * Reads a value by a schema that only the contract knows.
 *
 * @throws DomainError VALIDATION_FAILED, its pointers below `pointer`
 */
export type ValueCheck = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  pointer: string,
) => z.output<Schema>;

/** What is wrong with a request, collected so that a caller sees all of it at once. */
export class Faults {
  private readonly problems: FieldProblem[] = [];

  add(...problems: readonly FieldProblem[]): void {
    this.problems.push(...problems);
  }

  /** What `read` returns; undefined where it refuses, and then its refusal is among the faults. */
  reading<Value>(read: () => Value): Value | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'VALIDATION_FAILED') throw error;
      this.problems.push(...(error.details.errors ?? []));
      return undefined;
    }
  }

  /** @throws DomainError VALIDATION_FAILED where there are any */
  refuse(): void {
    const [first] = this.problems;
    if (first === undefined) return;
    const others = this.problems.length - 1;
    const more = others > 0 ? ` (and ${others} more, see errors)` : '';
    throw new DomainError('VALIDATION_FAILED', `${first.pointer ?? 'body'}: ${first.message}${more}`, {
      errors: this.problems,
    });
  }
}
