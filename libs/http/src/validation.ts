import { DomainError, type FieldProblem } from '#domain/errors.js';
import { childPointer } from '#domain/json-source.js';
import type { z } from 'zod';
import { issueMessage, shown } from './issue-message.js';

/** Where a value comes from: a place in the body (a JSON pointer), or the query. */
export type ValueSource = { readonly pointer: string } | { readonly query: true };

export const WHOLE_BODY: ValueSource = { pointer: '' };
export const WHOLE_QUERY: ValueSource = { query: true };

/**
 * The value as the schema reads it.
 *
 * A schema's own messages are kept; those that it leaves to zod become ours, with the value and the cure. A
 * custom issue names its code in `params.code` (`ctx.addIssue({ code: 'custom', params: { code: … } })`).
 *
 * @throws DomainError VALIDATION_FAILED with every fault and its place
 */
export function validated<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  source: ValueSource = WHOLE_BODY,
): z.output<Schema> {
  const result = schema.safeParse(value, { error: issueMessage, reportInput: true });
  if (result.success) return result.data;
  throw validationFailed(result.error.issues.flatMap((issue) => fieldProblems(issue, source)));
}

/** The 422 for faults that are known, told together. */
export function validationFailed(errors: readonly FieldProblem[]): DomainError {
  const [first] = errors;
  const where = first?.parameter ?? (first?.pointer === '' ? 'body' : first?.pointer);
  const others = errors.length - 1;
  return new DomainError(
    'VALIDATION_FAILED',
    first === undefined
      ? 'The request is not valid.'
      : `${where}: ${first.message}${others > 0 ? ` (and ${others} more, see errors)` : ''}`,
    { errors },
  );
}

/** A field or parameter that nobody reads: it is refused, for nothing is silently ignored. */
export function unknownName(name: string, source: ValueSource): FieldProblem {
  const known = 'query' in source ? 'query parameter' : 'field';
  return {
    ...place([name], source),
    code: 'query' in source ? 'UNKNOWN_PARAMETER' : 'UNKNOWN_FIELD',
    message: `There is no ${known} ${shown(name)} here. Correct the name or leave it out.`,
  };
}

function fieldProblems(issue: z.core.$ZodIssue, source: ValueSource): FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const problem = unknownName(key, source);
      return { ...problem, ...place([...issue.path, key], source) };
    });
  }
  if (issue.code === 'invalid_union' && 'errors' in issue) {
    const nested = closestAlternative(issue.errors);
    if (nested) {
      return nested.flatMap((inner) =>
        fieldProblems({ ...inner, path: [...issue.path, ...inner.path] }, source),
      );
    }
  }
  return [{ ...place(issue.path, source), code: codeOf(issue), message: issue.message }];
}

/**
 * Of a union the alternative whose shape was right, i.e. that complains about something inside the value:
 * its faults help more than "none of the forms".
 */
function closestAlternative(alternatives: readonly z.core.$ZodIssue[][]): z.core.$ZodIssue[] | undefined {
  const inside = alternatives.filter((issues) =>
    issues.every(
      (issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys' || issue.code === 'custom',
    ),
  );
  return inside.length === 1 ? inside[0] : undefined;
}

function place(
  path: readonly PropertyKey[],
  source: ValueSource,
): Pick<FieldProblem, 'pointer' | 'parameter'> {
  if ('query' in source) return { parameter: String(path[0] ?? '') };
  return { pointer: path.map(String).reduce(childPointer, source.pointer) };
}

function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'REQUIRED';
  switch (issue.code) {
    case 'invalid_type':
      return 'WRONG_TYPE';
    case 'invalid_value':
      return 'NOT_ALLOWED';
    case 'too_small':
      return sized(issue.origin) ? 'TOO_SHORT' : 'TOO_SMALL';
    case 'too_big':
      return sized(issue.origin) ? 'TOO_LONG' : 'TOO_LARGE';
    case 'custom':
      return typeof issue.params?.['code'] === 'string' ? issue.params['code'] : 'INVALID';
    case 'invalid_format':
      return 'INVALID_FORMAT';
    default:
      return 'INVALID';
  }
}

function sized(origin: string): boolean {
  return origin === 'string' || origin === 'array' || origin === 'set' || origin === 'map';
}
