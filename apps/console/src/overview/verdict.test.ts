import { describe, expect, it } from '@jest/globals';
import type { Schemas } from '#client/api-call.js';
import { STALE_AFTER_MS, type VerdictFacts, verdictOf } from './verdict.js';

const AT = '2026-01-31T12:00:00.000Z';
const before = (ms: number) => new Date(Date.parse(AT) - ms).toISOString();

function stats(change: { succeeded?: number; failed?: number; disabled?: number } = {}): Schemas['Stats'] {
  const { succeeded = 600, failed = 0, disabled = 0 } = change;
  return {
    at: AT,
    countsUpTo: 10_000,
    deliveries: { pending: 0, dead: 0, closed: 0, suppressed: 0, canceled: 0 },
    backlog: { due: 0, scheduled: 0, oldestDueAt: null },
    accepted: { since: before(10_000), events: 0 },
    attempts: { since: before(86_400_000), succeeded, failed },
    minutes: Array.from({ length: 60 }, () => ({ minute: AT, succeeded, failed })),
    endpoints: { active: 1, paused: 0, disabled },
    disabledEndpoints: [],
  };
}

function owing(state: 'active' | 'paused' | 'disabled', ms: number): VerdictFacts['byLag'][number] {
  return {
    ...{
      id: '1',
      application: 'acme',
      url: 'https://example.com',
      state,
      disabledReason: null,
      disabledAt: null,
    },
    ...{
      consecutiveFailures: 0,
      succeeded: 0,
      failed: 0,
      successShare: null,
      averageDurationMs: null,
      pending: 1,
    },
    ...{ oldestDueAt: before(ms), lastHttpStatus: null, lastError: null },
  };
}

const verdict = (facts: Partial<VerdictFacts> = {}) =>
  verdictOf({ stats: stats(), byLag: [], readiness: 'ready', ageMs: 0, isConnected: true, ...facts });

describe('the verdict', () => {
  it('is good where all is fresh and arrives, with rate and share', () => {
    expect(verdict()).toEqual({ tone: 'good', says: 'delivering', perSecond: 10, share: 1 });
  });

  it('is never good on figures that are old, or while nothing answers, whatever they say', () => {
    expect(verdict({ ageMs: STALE_AFTER_MS })).toMatchObject({ tone: 'good' });
    expect(verdict({ ageMs: STALE_AFTER_MS + 1 })).toEqual({ tone: 'stale', says: 'old' });
    expect(verdict({ isConnected: false })).toEqual({ tone: 'stale', says: 'old' });
    expect(verdict({ stats: null })).toEqual({ tone: 'stale', says: 'unknown' });
  });

  it('names what holds everything up before anything else', () => {
    const late = [owing('active', 3_600_000)];
    expect(verdict({ readiness: 'unready', byLag: late })).toMatchObject({
      tone: 'bad',
      says: 'databaseAway',
    });
    expect(verdict({ readiness: 'degraded', byLag: late })).toMatchObject({
      tone: 'warn',
      says: 'transportAway',
    });
  });

  it('counts who is late and since when, but not who waits by intent', () => {
    const byLag = [
      owing('active', 840_000),
      owing('disabled', 61_000),
      owing('paused', 9e6),
      owing('active', 59_000),
    ];
    expect(verdict({ byLag })).toEqual({ tone: 'bad', says: 'late', count: 2, oldestMs: 840_000 });
  });

  it('says who gets nothing, and that attempts fail', () => {
    expect(verdict({ stats: stats({ disabled: 2 }) })).toMatchObject({ says: 'disabled', count: 2 });
    expect(verdict({ stats: stats({ succeeded: 60, failed: 540 }) })).toMatchObject({
      tone: 'warn',
      share: 0.1,
    });
    expect(verdict({ stats: stats({ succeeded: 0 }) })).toEqual({ tone: 'good', says: 'idle' });
  });
});
