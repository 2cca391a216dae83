import { describe, expect, it } from '@jest/globals';
import { QueryFailedError } from 'typeorm';
import { isDatabaseOutage } from './database-outage.js';

const coded = (code: string, syscall?: string) =>
  Object.assign(new Error(code), { code, ...(syscall && { syscall }) });

describe('isDatabaseOutage', () => {
  it.each(['08000', '08006', '53300', '53100', '55P03', '57P01', '57P03', '57014', '25006', '40P01'])(
    'takes SQLSTATE %s for an outage, also as TypeORM wraps it',
    (state) => {
      expect(isDatabaseOutage(coded(state))).toBe(true);
      expect(isDatabaseOutage(new QueryFailedError('SELECT 1', [], coded(state)))).toBe(true);
    },
  );

  it.each(['22021', '23505', '42601', '42P01', '28P01', 'XX000'])('takes SQLSTATE %s for none', (state) => {
    expect(isDatabaseOutage(coded(state))).toBe(false);
  });

  it('takes a refused connection for an outage, to all addresses of a name too', () => {
    expect(isDatabaseOutage(coded('ECONNREFUSED', 'connect'))).toBe(true);
    expect(
      isDatabaseOutage(new AggregateError([coded('ECONNREFUSED', 'connect'), coded('ETIMEDOUT', 'connect')])),
    ).toBe(true);
    expect(isDatabaseOutage(new Error('wrapped', { cause: coded('ECONNRESET', 'read') }))).toBe(true);
  });

  it('takes the pool having no connection in time for an outage', () => {
    expect(isDatabaseOutage(new Error('timeout exceeded when trying to connect'))).toBe(true);
  });

  it('takes a fault of ours for none', () => {
    expect(isDatabaseOutage(new TypeError('x is undefined'))).toBe(false);
    expect(isDatabaseOutage(coded('ENOENT'))).toBe(false);
    expect(isDatabaseOutage('timeout expired')).toBe(false);
  });
});
