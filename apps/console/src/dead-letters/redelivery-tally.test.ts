import { describe, expect, it } from '@jest/globals';
import type { Schemas } from '#client/api-call.js';
import { countsOf, type Tally, tallied } from './redelivery-tally.js';

type Followed = Schemas['FollowedAttempt'];

const NOTHING: Tally = { after: 'a', standings: {}, failuresInARow: 0 };

function attempt(delivery: string, change: Partial<Followed> = {}): Followed {
  return {
    ...{
      number: 7,
      cycle: 2,
      trigger: 'replay',
      startedAt: '2026-01-31T12:00:00Z',
      durationMs: 1,
      url: 'https://a',
    },
    ...{ remoteAddress: null, outcome: 'success', httpStatus: 200, error: null, responseSummary: '' },
    ...{
      retryAfterSeconds: null,
      nextAttemptAt: null,
      superseded: false,
      delivery,
      event: 'e',
      application: 'acme',
    },
    ...{ endpoint: '1', type: 'x' },
    ...change,
  };
}
const failed: Partial<Followed> = { outcome: 'http_5xx', httpStatus: 503 };
const retriedLater = { ...failed, nextAttemptAt: '2026-01-31T12:01:00Z' };

describe('the tally of a redelivery', () => {
  it('counts each delivery once, as it stands last', () => {
    const first = tallied(NOTHING, [attempt('1'), attempt('2', retriedLater), attempt('3', failed)], 'b');
    expect(countsOf(first)).toEqual({ delivered: 1, waiting: 1, dead: 1 });
    const second = tallied(first, [attempt('2', { trigger: 'retry' })], 'c');
    expect(countsOf(second)).toEqual({ delivered: 2, waiting: 0, dead: 1 });
    expect(second.after).toBe('c');
  });

  it('leaves out what is not of the redelivery, and results that came too late', () => {
    const others = [
      attempt('4', { trigger: 'first' }),
      attempt('5', { trigger: 'retry', ...failed }),
      attempt('6', { superseded: true, ...failed }),
    ];
    expect(tallied(NOTHING, others, 'b')).toEqual({ ...NOTHING, after: 'b' });
  });

  it('counts failures in a row over looks, and from nothing after a success', () => {
    const some = tallied(NOTHING, [attempt('1', failed), attempt('2', failed)], 'b');
    expect(tallied(some, [attempt('3', retriedLater)], 'c').failuresInARow).toBe(3);
    expect(tallied(some, [attempt('3'), attempt('4', failed)], 'c').failuresInARow).toBe(1);
  });
});
