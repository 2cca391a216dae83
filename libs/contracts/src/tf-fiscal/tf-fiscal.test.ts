import { describe, expect, it } from '@jest/globals';
import { cycleLength, waitAfterFailure } from '#domain/retry-policy.js';
import type { BuildResult, PublishedEvent } from '../contract.js';
import { tfFiscal } from './tf-fiscal.js';
import { PAYLOAD_VECTORS } from './vectors.js';

const ACCEPTED_AT = new Date('2026-09-06T13:00:01.750Z');

function published(type: string, dataJson: string, more: Partial<PublishedEvent> = {}): PublishedEvent {
  const application = { id: 'app', environment: 'production', attributes: {} };
  return {
    application,
    type,
    publicId: 'evt-1',
    occurredAt: null,
    acceptedAt: ACCEPTED_AT,
    dataJson,
    ...more,
  };
}

function bodyOf(result: BuildResult): string {
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.event.body.toString('utf8');
}

function problemsOf(result: BuildResult) {
  return result.ok ? [] : result.problems;
}

describe('the sample payloads', () => {
  it.each(PAYLOAD_VECTORS)(
    'reproduces "$title" byte for byte (TF-12, TF-13, TF-14, TF-19, TF-20)',
    (vector) => {
      const identity = {
        publicId: vector.publicId ?? 'evt-1',
        occurredAt: vector.occurredAt === undefined ? null : new Date(vector.occurredAt),
      };
      expect(bodyOf(tfFiscal.buildEvent(published(vector.type, vector.data, identity)))).toBe(vector.body);
      const indented = JSON.stringify(JSON.parse(vector.data), null, 2);
      expect(bodyOf(tfFiscal.buildEvent(published(vector.type, indented, identity)))).toBe(vector.body);
    },
  );

  it('refuses the verified sample as printed: its reason only explains the field (TF-20)', () => {
    const vector = PAYLOAD_VECTORS.find(({ type }) => type === 'invoice.verify.completed');
    const data = vector?.data.replace(/}$/, ',"reason":"stable text"}') ?? '';
    expect(problemsOf(tfFiscal.buildEvent(published('invoice.verify.completed', data)))).toEqual([
      expect.objectContaining({ pointer: '/data/reason', code: 'VALUE_NOT_ALLOWED' }),
    ]);
  });

  it('builds the same bytes for test and production (TF-07)', () => {
    for (const { type, data } of PAYLOAD_VECTORS) {
      const inEnvironment = (environment: string) =>
        tfFiscal.buildEvent(
          published(type, data, { application: { id: 'app', environment, attributes: {} } }),
        );
      expect(inEnvironment('test')).toEqual(inEnvironment('production'));
    }
  });
});

describe('the catalogue', () => {
  it('has the 13 event types and no others (TF-10)', () => {
    expect(tfFiscal.eventTypes.map(({ name }) => name)).toEqual([
      'invoice.authorized',
      'invoice.rejected',
      'invoice.canceled',
      'invoice.cce.registered',
      'invoice.verify.completed',
      'cte.authorized',
      'cte.rejected',
      'cte.canceled',
      'cte.event.registered',
      'dce.authorized',
      'dce.rejected',
      'dce.canceled',
      'dce.cancel_rejected',
    ]);
  });

  it.each([
    'invoice.created',
    'webhook.verify',
    'Invoice.Authorized',
    'invoice.authorized ',
    '__proto__',
    '',
  ])('refuses the type %j and names the known ones (TF-10)', (type) => {
    expect(problemsOf(tfFiscal.buildEvent(published(type, '{}')))).toEqual([
      {
        pointer: '/type',
        code: 'UNKNOWN_EVENT_TYPE',
        message: expect.stringMatching(
          /^".*" is no event type of tf-fiscal\. Use one of invoice\.authorized, /,
        ),
      },
    ]);
  });

  it('accepts and builds the reserved type, and marks it and no other so (TF-11)', () => {
    const data = `{"invoice_id":"7","chave":"${'0'.repeat(44)}","n_seq":"1"}`;
    const result = tfFiscal.buildEvent(published('invoice.cce.registered', data));
    expect(result).toMatchObject({ ok: true, event: { reserved: true } });
    expect(bodyOf(result)).toContain('"event_type":"invoice.cce.registered"');
    expect(tfFiscal.eventTypes.filter(({ reserved }) => reserved).map(({ name }) => name)).toEqual([
      'invoice.cce.registered',
    ]);
    for (const { type, data: sample } of PAYLOAD_VECTORS) {
      expect(tfFiscal.buildEvent(published(type, sample))).toMatchObject({ event: { reserved: false } });
    }
  });

  it('describes every field of every type for the reference', () => {
    const rejected = tfFiscal.eventTypes.find(({ name }) => name === 'dce.rejected');
    expect(rejected?.fields).toHaveLength(14);
    expect(rejected?.fields[3]).toEqual({ name: 'dceStatus', presence: 'derived', form: '"Negada"' });
    expect(rejected?.fields[7]).toEqual({
      name: 'dceNumero',
      presence: 'all-or-none',
      form: 'a non-empty string',
    });
  });
});

describe('building an event', () => {
  it('takes the time of acceptance where the producer gave none (TF-19)', () => {
    const data = '{"event_code":"110110","n_seq":"1","protocolo":"1"}';
    const silent = tfFiscal.buildEvent(published('cte.event.registered', data));
    expect(bodyOf(silent)).toContain('"occurred_at":"2026-09-06T13:00:01Z"');
    expect(silent).toMatchObject({ event: { occurredAt: ACCEPTED_AT } });
    const occurredAt = new Date('2020-01-01T00:00:00.999Z');
    const told = tfFiscal.buildEvent(published('cte.event.registered', data, { occurredAt }));
    expect(bodyOf(told)).toContain('"occurred_at":"2020-01-01T00:00:00Z"');
    expect(told).toMatchObject({ event: { occurredAt } });
  });

  it('writes UTF-8 and counts bytes, not characters (TF-21)', () => {
    const data = '{"event_code":"é","n_seq":"😀","protocolo":"1"}';
    const result = tfFiscal.buildEvent(published('cte.event.registered', data));
    expect(bodyOf(result)).toContain('"data":{"event_code":"é","n_seq":"😀","protocolo":"1"}');
    expect(result.ok && result.event.body.byteLength).toBe(Buffer.byteLength(bodyOf(result)));
  });

  it.each(['[]', '"text"', '1', 'null', 'true'])('refuses data that is %s', (data) => {
    expect(problemsOf(tfFiscal.buildEvent(published('invoice.authorized', data)))).toEqual([
      expect.objectContaining({ pointer: '/data', code: 'INVALID_TYPE' }),
    ]);
  });

  it('refuses duplicate keys and deep nesting with the place, and never throws for a text', () => {
    const refusal = (data: string) =>
      problemsOf(tfFiscal.buildEvent(published('cte.event.registered', data)))[0];
    expect(refusal('{"a":{"b":1,"b":2}}')).toMatchObject({ pointer: '/data/a/b', code: 'DUPLICATE_KEY' });
    expect(refusal(`{"a":${'['.repeat(64)}${']'.repeat(64)}}`)).toMatchObject({ code: 'TOO_DEEP' });
    expect(refusal('{"a":')).toMatchObject({ pointer: '/data/a', code: 'NOT_JSON' });
  });

  it('bounds how many problems it lists, and says how many it does not', () => {
    const data = JSON.stringify(
      Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1])),
    );
    const problems = problemsOf(tfFiscal.buildEvent(published('invoice.authorized', data)));
    expect(problems).toHaveLength(101);
    expect(problems[100]).toMatchObject({
      code: 'MORE_PROBLEMS',
      message: expect.stringMatching(/^403 more/),
    });
  });

  it('shows no more than an excerpt of a long value, key or type', () => {
    const long = '1'.repeat(10_000);
    const problems = [
      ...problemsOf(
        tfFiscal.buildEvent(published('invoice.authorized', `{"empresaId":${long},"${long}":1}`)),
      ),
      ...problemsOf(tfFiscal.buildEvent(published('invoice.canceled', `{"${long}Description":1}`))),
      ...problemsOf(tfFiscal.buildEvent(published(long, '{}'))),
    ];
    expect(problems.map(({ code }) => code).sort()).toEqual([
      'FIELD_NOT_ALLOWED',
      'INVALID_TYPE',
      'REQUIRED',
      'REQUIRED',
      'REQUIRED',
      'REQUIRED',
      'REQUIRED',
      'UNKNOWN_EVENT_TYPE',
      'UNKNOWN_FIELD',
    ]);
    for (const { message } of problems) expect(message.length).toBeLessThan(400);
  });
});

describe('registration', () => {
  it('has one webhook per application, which receives every type, beside endpoints that may filter (TF-01, TF-02)', () => {
    expect(tfFiscal.endpoint).toMatchObject({ hasWebhook: true, eventTypes: 'any-or-filter' });
  });

  it('takes http and https URLs of up to 500 characters, read again before every attempt (TF-03, TF-33)', () => {
    expect(tfFiscal.url).toEqual({ schemes: ['http', 'https'], maxLength: 500, used: 'current' });
  });

  it('requires a token of every endpoint and nothing else, and issues none (TF-02, TF-04)', () => {
    const { credentials, credentialNames, issueCredentials } = tfFiscal.endpoint;
    expect(credentials.safeParse({ token: 'abc' }).success).toBe(true);
    expect(credentials.safeParse({}).success).toBe(false);
    expect(credentials.safeParse({ token: 'abc', secret: 'x' }).success).toBe(false);
    expect(credentialNames).toEqual(['token']);
    expect(issueCredentials({ token: 'abc' })).toEqual({ credentials: { token: 'abc' }, issued: {} });
  });

  it.each(['x', '~!"#$', 'Bearer abc  def', 'a'.repeat(512)])('takes the token %j (TF-04)', (token) => {
    expect(tfFiscal.endpoint.credentials.parse({ token })).toEqual({ token });
  });

  it.each([
    ['', /0 characters/],
    [' ', /1 characters, spaces among them/],
    [' hidden', /spaces among them/],
    ['hidden ', /spaces among them/],
    ['a'.repeat(513), /513 characters/],
    ['hid\tden', /U\+0009 at character 4/],
    ['hidden\r\nX: y', /U\+000D at character 7/],
    ['hidden\u0000', /U\+0000/],
    ['hidden\u007f', /U\+007F/],
    ['hiddén', /U\+00E9 at character 5/],
    ['hidden\n', /U\+000A/],
    ['😀', /U\+1F600/],
    [7, /is required/],
  ])('refuses the token %j, saying why and never repeating it (TF-04)', (token, message) => {
    const result = tfFiscal.endpoint.credentials.safeParse({ token });
    expect(result.error?.issues[0]?.message).toMatch(message);
    expect(JSON.stringify(result.error?.issues)).not.toContain('hid');
  });

  it('generates an app_secret of 32 random bytes in hex, new each time (TF-06)', () => {
    const secrets = Array.from({ length: 50 }, () => tfFiscal.application.secret?.generate() ?? '');
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) {
      expect(secret).toMatch(/^[0-9a-f]{64}$/);
      expect(tfFiscal.application.secret?.schema.safeParse(secret).success).toBe(true);
    }
  });

  it('takes a supplied app_secret of 16 to 256 visible ASCII characters (TF-06)', () => {
    const takes = (secret: string) => tfFiscal.application.secret?.schema.safeParse(secret).success;
    expect(['!'.repeat(16), '~'.repeat(256)].map(takes)).toEqual([true, true]);
    const refused = [
      '!'.repeat(15),
      '~'.repeat(257),
      'with a space in it',
      'não-é-ascii-visível',
      'line\nbreak-line-break',
    ];
    expect(refused.map(takes)).toEqual(refused.map(() => false));
  });

  it('has no attributes', () => {
    expect(tfFiscal.application.attributes.safeParse({}).success).toBe(true);
    expect(tfFiscal.application.attributes.safeParse({ companyId: 1 }).success).toBe(false);
  });

  it('verifies with webhook.verify: an envelope with empty data (TF-05)', () => {
    expect(tfFiscal.testEvent?.type).toBe('webhook.verify');
    expect(tfFiscal.testEvent?.build('v-1', ACCEPTED_AT).toString()).toBe(
      '{"version":"1.0","event_id":"v-1","event_type":"webhook.verify","occurred_at":"2026-09-06T13:00:01Z","data":{}}',
    );
  });
});

describe('the delivery policy', () => {
  const { policy } = tfFiscal;

  it('waits 1 min, 5 min, 30 min, 2 h and 6 h, not jittered, and ends after the sixth attempt (TF-34)', () => {
    for (const random of [() => 0, () => 0.999]) {
      const minutes = [1, 2, 3, 4, 5, 6].map((failures) => {
        const waitMs = waitAfterFailure(policy, 1, failures, null, random);
        return waitMs === null ? null : waitMs / 60_000;
      });
      expect(minutes).toEqual([1, 5, 30, 120, 360, null]);
    }
  });

  it('does not honour Retry-After unless told to (TF-34)', () => {
    expect(policy.respectRetryAfter).toBe(false);
    expect(waitAfterFailure(policy, 1, 1, 3_600_000, Math.random)).toBe(60_000);
  });

  it('dead-letters, and gives a re-push the whole schedule again (TF-35)', () => {
    expect(policy.exhausted).toBe('dead');
    expect([cycleLength(policy, 1), cycleLength(policy, 2), cycleLength(policy, 7)]).toEqual([6, 6, 6]);
  });

  it('gives a receiver 10 s, starts at once and opens the breaker after 10 failures (TF-32, TF-40)', () => {
    expect(policy).toMatchObject({
      timeoutMs: 10_000,
      firstAttemptDelayMs: 0,
      breakerThreshold: 10,
      concurrencyPerWorker: 10,
    });
  });
});
