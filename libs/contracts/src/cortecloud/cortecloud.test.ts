import { describe, expect, it } from '@jest/globals';
import { cycleLength, waitAfterFailure } from '#domain/retry-policy.js';
import { MAX_URL_LENGTH, checkUrl } from '../url-rules.js';
import { cortecloud } from './cortecloud.js';

describe('registration', () => {
  const attributes = { companyId: 123, companyInternalCode: 'CENTRAL-01' };
  const takes = (changes: Record<string, unknown>) =>
    cortecloud.application.attributes.safeParse({ ...attributes, ...changes }).success;

  it('makes an application of a service center: its number and code, both of them (CC-01)', () => {
    expect(cortecloud.application.attributes.parse(attributes)).toEqual(attributes);
    expect(takes({ companyId: undefined })).toBe(false);
    expect(takes({ companyInternalCode: undefined })).toBe(false);
    expect(takes({ region: 'south' })).toBe(false);
  });

  it('takes a safe integer as number and any readable text as code (CC-01)', () => {
    for (const companyId of [0, -1, Number.MAX_SAFE_INTEGER]) expect(takes({ companyId })).toBe(true);
    for (const companyId of ['123', 1.5, Number.MAX_SAFE_INTEGER + 1, null, true]) {
      expect(takes({ companyId })).toBe(false);
    }
    for (const companyInternalCode of ['0', ' ', 'São "1"', '😀'.repeat(255)]) {
      expect(takes({ companyInternalCode })).toBe(true);
    }
    for (const companyInternalCode of ['', 'x'.repeat(256), 'a\u0000', 'a\nb', 'a\ud800', 7, null]) {
      expect(takes({ companyInternalCode })).toBe(false);
    }
  });

  it('has no secret of the application: each destination has its own pair (CC-04)', () => {
    expect(cortecloud.application.secret).toBeNull();
    expect(cortecloud.endpoint.credentialNames).toEqual(['apiKey', 'secret', 'ownKey']);
  });

  it('has exactly one event type per destination, and no single webhook (CC-02)', () => {
    expect(cortecloud.endpoint).toMatchObject({ hasWebhook: false, eventTypes: 'exactly-one' });
  });

  it('takes https alone, with a port and a query, and calls what was queued (CC-03, CC-10)', () => {
    expect(cortecloud.url).toMatchObject({ schemes: ['https'], maxLength: null, used: 'as-queued' });
    const submitted = 'https://erp.example.com:8443/in?central=01';
    expect(checkUrl(cortecloud.url, submitted)).toEqual({ ok: true, url: submitted });
    const codesOf = (url: string) => {
      const check = checkUrl(cortecloud.url, url);
      return check.ok ? [] : check.problems.map(({ code }) => code);
    };
    expect(codesOf('http://erp.example.com/')).toEqual(['URL_SCHEME_NOT_ALLOWED']);
    expect(codesOf('https://user@erp.example.com/')).toEqual(['URL_HAS_USERINFO']);
    expect(codesOf('https://erp.example.com/#a')).toEqual(['URL_HAS_FRAGMENT']);
    expect(codesOf('https://erp.example.com/'.padEnd(MAX_URL_LENGTH, 'x'))).toEqual([]);
  });

  it('has no test event (CC-07)', () => {
    expect(cortecloud.testEvent).toBeNull();
  });
});

describe('the delivery policy', () => {
  const { policy } = cortecloud;
  const waitSeconds = (failures: number, random: number) => {
    const waitMs = waitAfterFailure(policy, 1, failures, null, () => random);
    return waitMs === null ? null : waitMs / 1000;
  };

  it('draws from 15–30 s, 30–60 s, 1–2, 2–4 and 4–8 min, and ends after the sixth attempt (CC-37)', () => {
    const failures = [1, 2, 3, 4, 5, 6];
    expect(failures.map((n) => waitSeconds(n, 0))).toEqual([15, 30, 60, 120, 240, null]);
    expect(failures.map((n) => waitSeconds(n, 0.5))).toEqual([22.5, 45, 90, 180, 360, null]);
    expect(failures.map((n) => waitSeconds(n, 0.999999999))).toEqual([30, 60, 120, 240, 480, null]);
  });

  it('owes the first attempt 30 s after the change and gives a receiver 10 s (CC-35, CC-36)', () => {
    expect(policy).toMatchObject({ firstAttemptDelayMs: 30_000, timeoutMs: 10_000 });
  });

  it('honours a longer Retry-After up to 1 h, and never a shorter one (CC-38)', () => {
    const wait = (retryAfterMs: number) => waitAfterFailure(policy, 1, 1, retryAfterMs, () => 0);
    expect([0, 14_999, 15_001, 3_600_000, 3_600_001, 86_400_000].map(wait)).toEqual([
      15_000, 15_000, 15_001, 3_600_000, 3_600_000, 3_600_000,
    ]);
  });

  it('closes after the last failure, whatever Retry-After asks, and re-pushes in one attempt (CC-39)', () => {
    expect(policy.exhausted).toBe('closed');
    expect([1, 2, 3].map((cycle) => cycleLength(policy, cycle))).toEqual([6, 1, 1]);
    expect(waitAfterFailure(policy, 1, 6, 60_000, () => 0)).toBeNull();
    expect(waitAfterFailure(policy, 2, 1, 60_000, () => 0)).toBeNull();
  });

  it('sends five at once to one destination and has no breaker (CC-40, CC-41)', () => {
    expect(policy).toMatchObject({ concurrencyPerWorker: 5, breakerThreshold: 0 });
  });
});
