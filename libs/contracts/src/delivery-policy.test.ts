import { describe, expect, it } from '@jest/globals';
import type { DeliveryPolicy } from '#domain/retry-policy.js';
import {
  type ApplicationSettings,
  SETTINGS_BOUNDS,
  applicationSettingsSchema,
  policyAsSettings,
  resolvePolicy,
  settingsProblems,
  waits,
} from './delivery-policy.js';
import { CONTRACT_NAMES, contractNamed } from './registry.js';

const policy: DeliveryPolicy = {
  waits: waits('1m', '15s..30s'),
  timeoutMs: 10_000,
  firstAttemptDelayMs: 0,
  breakerThreshold: 10,
  respectRetryAfter: false,
  retryAfterCapMs: 3_600_000,
  concurrencyPerWorker: 10,
  sendTraceparent: false,
  exhausted: 'dead',
  redelivery: 'full-cycle',
};

function problems(settings: ApplicationSettings, retentionDays = 30) {
  return settingsProblems({ policy }, settings, { retentionDays });
}

function codes(settings: ApplicationSettings, retentionDays?: number) {
  return problems(settings, retentionDays).map(({ pointer, code }) => `${pointer} ${code}`);
}

describe('applicationSettingsSchema', () => {
  it('takes every setting, and none', () => {
    const all: Required<ApplicationSettings> = {
      retryWaits: ['50ms', '15s..30s', '1.5h'],
      timeout: '8s',
      firstAttemptDelay: '30s',
      breakerThreshold: 0,
      respectRetryAfter: true,
      retryAfterCap: '1d',
      concurrencyPerWorker: 5,
      sendTraceparent: true,
    };
    expect(applicationSettingsSchema.parse(all)).toEqual(all);
    expect(applicationSettingsSchema.parse({})).toEqual({});
  });

  it('refuses unknown settings, for nothing is silently ignored', () => {
    expect(applicationSettingsSchema.safeParse({ retries: 5 }).success).toBe(false);
  });

  it.each([
    [
      { timeout: '10' },
      '"10" is no duration. Write a whole or decimal number and one of ms, s, m, h, d, such as "15s".',
    ],
    [
      { timeout: 10 },
      'Write a duration as text: a whole or decimal number and one of ms, s, m, h, d, such as "15s".',
    ],
    [{ firstAttemptDelay: '-1s' }, '"-1s" is no duration.'],
    [{ retryAfterCap: '1 h' }, '"1 h" is no duration.'],
    [{ retryWaits: ['1m', '30s..15s'] }, '"30s..15s" is no wait.'],
    [{ retryWaits: '1m' }, 'Write retryWaits as a list of waits, such as ["15s", "1m..2m"].'],
    [{ retryWaits: [60] }, 'Write a wait as text'],
    [{ breakerThreshold: 1.5 }, '1.5 is no whole number.'],
    [{ breakerThreshold: '10' }, '"10" is no whole number.'],
    [{ concurrencyPerWorker: null }, 'null is no whole number.'],
    [{ respectRetryAfter: 'yes' }, '"yes" is neither true nor false. Write one of them.'],
    [{ sendTraceparent: 1 }, '1 is neither true nor false. Write one of them.'],
  ])('refuses %j with the value and the cure', (settings, message) => {
    const issues = applicationSettingsSchema.safeParse(settings).error?.issues ?? [];
    expect(issues).toHaveLength(1);
    expect(issues[0]?.message).toContain(message);
  });
});

describe('resolvePolicy', () => {
  it('is the contract’s policy where the application sets nothing', () => {
    expect(resolvePolicy({ policy }, {})).toEqual(policy);
  });

  it('lets each setting override its default and leaves what is the contract’s alone', () => {
    const settings: ApplicationSettings = {
      retryWaits: ['10ms', '1s..2s', '3s'],
      timeout: '250ms',
      firstAttemptDelay: '30s',
      breakerThreshold: 0,
      respectRetryAfter: true,
      retryAfterCap: '0s',
      concurrencyPerWorker: 1,
      sendTraceparent: true,
    };
    expect(resolvePolicy({ policy }, settings)).toEqual({
      waits: [
        { minMs: 10, maxMs: 10 },
        { minMs: 1_000, maxMs: 2_000 },
        { minMs: 3_000, maxMs: 3_000 },
      ],
      timeoutMs: 250,
      firstAttemptDelayMs: 30_000,
      breakerThreshold: 0,
      respectRetryAfter: true,
      retryAfterCapMs: 0,
      concurrencyPerWorker: 1,
      sendTraceparent: true,
      exhausted: 'dead',
      redelivery: 'full-cycle',
    });
  });

  it('comes back from its own words unchanged', () => {
    expect(resolvePolicy({ policy: { ...policy, waits: [] } }, policyAsSettings(policy))).toEqual(policy);
  });
});

describe('settingsProblems', () => {
  it('finds none in what every contract starts with', () => {
    for (const name of CONTRACT_NAMES) {
      const contract = contractNamed(name);
      expect(settingsProblems(contract, {}, { retentionDays: 3 })).toEqual([]);
      expect(applicationSettingsSchema.safeParse(policyAsSettings(contract.policy)).success).toBe(true);
    }
  });

  it('takes each bound and refuses what lies just beyond it', () => {
    const edges: [ApplicationSettings, ApplicationSettings][] = [
      [{ timeout: '100ms' }, { timeout: '99ms' }],
      [{ timeout: '15s' }, { timeout: '15001ms' }],
      [{ firstAttemptDelay: '1d' }, { firstAttemptDelay: '86400001ms' }],
      [{ retryAfterCap: '24h' }, { retryAfterCap: '86400001ms' }],
      [{ breakerThreshold: 0 }, { breakerThreshold: -1 }],
      [{ breakerThreshold: 1_000_000 }, { breakerThreshold: 1_000_001 }],
      [{ concurrencyPerWorker: 1 }, { concurrencyPerWorker: 0 }],
      [{ concurrencyPerWorker: 512 }, { concurrencyPerWorker: 513 }],
      [{ retryWaits: ['1s'] }, { retryWaits: [] }],
      [{ retryWaits: Array<string>(20).fill('1s') }, { retryWaits: Array<string>(21).fill('1s') }],
    ];
    for (const [within, beyond] of edges) {
      expect(codes(within)).toEqual([]);
      expect(codes(beyond)).toEqual([`/settings/${Object.keys(beyond)[0]} OUT_OF_BOUNDS`]);
    }
    expect(SETTINGS_BOUNDS.timeoutMs.max).toBe(15_000);
  });

  it('says the value and what to choose', () => {
    expect(problems({ timeout: '20s', retryWaits: [] }).map(({ message }) => message)).toEqual([
      'retryWaits is 0 waits. Choose 1 wait to 20 waits.',
      'timeout is 20s. Choose 100ms to 15s.',
    ]);
  });

  it('refuses a schedule whose longest waits reach the last day of retention', () => {
    const limit = '24h..48h';
    expect(codes({ retryWaits: [limit, '23h'] }, 4)).toEqual([]);
    expect(codes({ retryWaits: [limit, '24h'] }, 4)).toEqual(['/settings/retryWaits OUTLASTS_RETENTION']);
    expect(codes({ retryWaits: [limit, '23h'], firstAttemptDelay: '1h' }, 4)).toHaveLength(1);
    expect(problems({ retryWaits: ['30d'] })[0]?.message).toBe(
      'firstAttemptDelay and the longest waits come to 720 hours, which must be less than 696: deliveries are kept 30 days, and the last day is a reserve. Choose shorter waits or raise RETENTION_DAYS.',
    );
  });

  it('does not count Retry-After into the schedule', () => {
    expect(codes({ respectRetryAfter: true, retryAfterCap: '1d' }, 2)).toEqual([]);
  });
});
