import { DomainError, type FieldProblem } from '#domain/errors.js';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { isoTime } from './list-query.js';
import { validated } from './validation.js';

function errorsOf(schema: z.ZodType, value: unknown, pointer = ''): readonly FieldProblem[] {
  try {
    validated(schema, value, { pointer });
  } catch (error) {
    if (error instanceof DomainError) return error.details.errors ?? [];
    throw error;
  }
  return [];
}

describe('validated', () => {
  it('puts pointers below the place that the value has, and escapes them', () => {
    const schema = z.strictObject({ 'a/b': z.strictObject({ 'c~d': z.string() }) });
    expect(errorsOf(schema, { 'a/b': { 'c~d': 1, e: 2 } }, '/attributes')).toEqual([
      expect.objectContaining({ pointer: '/attributes/a~1b/c~0d', code: 'WRONG_TYPE' }),
      expect.objectContaining({ pointer: '/attributes/a~1b/e', code: 'UNKNOWN_FIELD' }),
    ]);
  });

  it('keeps the words and the code of a schema that has its own', () => {
    const schema = z
      .string()
      .max(2, 'Two letters at most.')
      .superRefine((text, context) => {
        if (text === 'x')
          context.addIssue({ code: 'custom', params: { code: 'NO_X' }, message: 'x is taken.' });
      });
    expect(errorsOf(schema, 'abc')).toEqual([
      { pointer: '', code: 'TOO_LONG', message: 'Two letters at most.' },
    ]);
    expect(errorsOf(schema, 'x')).toEqual([{ pointer: '', code: 'NO_X', message: 'x is taken.' }]);
  });

  it('repeats no value that may be secret, and cuts long ones', () => {
    const schema = z.strictObject({
      apiKey: z.enum(['a']),
      credentials: z.strictObject({ x: z.int() }),
      name: z.int(),
    });
    expect(errorsOf(schema, 'hunter2')).toEqual([
      { pointer: '', code: 'WRONG_TYPE', message: 'The value is a string. Send an object.' },
    ]);
    const errors = errorsOf(schema, {
      apiKey: 'hunter2',
      credentials: { x: 'hunter2' },
      name: 'n'.repeat(500),
    });
    expect(errors).toHaveLength(3);
    expect(JSON.stringify(errors)).not.toContain('hunter2');
    expect(JSON.stringify(errors).length).toBeLessThan(500);
  });

  it('tells of a union what is wrong inside the alternative that was meant', () => {
    const schema = z.strictObject({ at: z.union([z.null(), z.strictObject({ day: z.int() })]) });
    expect(errorsOf(schema, { at: { day: 'x' } })).toEqual([
      { pointer: '/at/day', code: 'WRONG_TYPE', message: '"x" is a string. Send a number.' },
    ]);
    expect(errorsOf(schema, { at: true })).toEqual([
      { pointer: '/at', code: 'INVALID', message: 'true is none of the forms that are taken here.' },
    ]);
  });

  it('reads times with an offset, and says of others how a time is written', () => {
    expect(validated(isoTime, '2025-01-31T12:00:00+01:00')).toEqual(new Date('2025-01-31T11:00:00Z'));
    for (const text of ['2025-02-30T00:00:00Z', '2025-01-31', '2025-01-31T12:00:00 01:00']) {
      expect(errorsOf(isoTime, text)).toEqual([
        { pointer: '', code: 'INVALID_FORMAT', message: expect.stringContaining('ISO-8601') },
      ]);
    }
  });
});
