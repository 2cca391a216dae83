import { describe, expect, it } from '@jest/globals';
import { withLiterals } from './literals.js';

describe('literals', () => {
  it('stand where the parameters stood', () => {
    const at = new Date('2026-05-20T12:00:00.001Z');
    expect(withLiterals('SELECT $2, $1, $10', [1, 'two', 0, 0, 0, 0, 0, 0, 0, at])).toBe(
      `SELECT 'two', '1', '2026-05-20T12:00:00.001Z'`,
    );
    expect(withLiterals('SELECT $1::text[], $2::bool', [['a', 'b'], null])).toBe(
      `SELECT '{"a","b"}'::text[], NULL::bool`,
    );
  });

  it('end nowhere but at their end', () => {
    expect(withLiterals('SELECT $1', [`it's \\ $1`])).toBe(`SELECT  E'it''s \\\\ $1'`);
    expect(withLiterals('SELECT $1', [[`"}', {`, `it's`]])).toBe(`SELECT  E'{"\\\\"}'', {","it''s"}'`);
  });

  it('give the year 0, which ISO 8601 has and PostgreSQL has not, as 1 BC', () => {
    const inYear0 = new Date('0000-02-29T01:02:03Z');
    expect(withLiterals('SELECT $1', [inYear0])).toBe(`SELECT '0001-02-29T01:02:03.000Z BC'`);
  });
});
