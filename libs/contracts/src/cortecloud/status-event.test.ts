import { describe, expect, it } from '@jest/globals';
import type { PublishedEvent } from '../contract.js';
import { cortecloud } from './cortecloud.js';
import { EXAMPLE, EXAMPLE_PUBLISHED } from './vectors.js';

const CHANGE = { service_id: 456, service_internal_code: 'PED-789', status: 6, old_status: 4 };

function published(more: Partial<PublishedEvent> = {}): PublishedEvent {
  const { environment, attributes, occurredAt, data } = EXAMPLE_PUBLISHED;
  return {
    application: { id: 'app', environment, attributes },
    type: 'service.status_changed',
    publicId: null,
    occurredAt: new Date(occurredAt),
    acceptedAt: new Date('2026-08-04T12:00:40.500Z'),
    dataJson: data,
    ...more,
  };
}

function build(more: Partial<PublishedEvent> = {}) {
  const result = cortecloud.buildEvent(published(more));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return { ...result.event, text: result.event.body.toString('utf8') };
}

function codes(more: Partial<PublishedEvent>) {
  const result = cortecloud.buildEvent(published(more));
  return result.ok ? [] : result.problems.map(({ pointer, code }) => `${pointer} ${code}`);
}

function dataOf(change: Record<string, unknown>): Partial<PublishedEvent> {
  return { dataJson: JSON.stringify(change) };
}

function applicationOf(application: Partial<PublishedEvent['application']>): Partial<PublishedEvent> {
  return { application: { ...published().application, ...application } };
}

describe('the body', () => {
  it('is the documented one byte for byte, its id aside (CC-21, CC-34)', () => {
    expect(build().text).toBe(EXAMPLE.body.replace(EXAMPLE.eventId, EXAMPLE_PUBLISHED.eventId));
  });

  it('has its members in order on one line, however they were published (CC-21)', () => {
    const reversed = JSON.stringify(Object.fromEntries(Object.entries(CHANGE).reverse()), null, 2);
    expect(build({ dataJson: reversed }).text).toBe(build().text);
  });

  it('carries texts as they were written, and an absent code as null (CC-21)', () => {
    const { service_internal_code: code, ...rest } = CHANGE;
    expect(code).toBeDefined();
    expect(build(dataOf(rest)).text).toContain('"service_internal_code":null,');
    expect(build(dataOf({ ...CHANGE, service_internal_code: null })).text).toContain('_code":null,');
    expect(build(dataOf({ ...CHANGE, service_internal_code: '' })).text).toContain('_code":"",');
    const escaped = EXAMPLE_PUBLISHED.data.replace('PED-789', 'S\\u00e3o\\n"é😀'.replace('"', '\\"'));
    expect(build({ dataJson: escaped }).text).toContain('"service_internal_code":"S\\u00e3o\\n\\"é😀",');
  });

  it('writes the service center of the application, escaped where JSON asks for it (CC-01, CC-21)', () => {
    const attributes = { companyId: 9_007_199_254_740_991, companyInternalCode: 'C"\\é' };
    expect(build(applicationOf({ attributes })).text).toContain(
      '"company_id":9007199254740991,"company_internal_code":"C\\"\\\\é",',
    );
  });

  it('cuts occurred_at to the second and does not round it (CC-21)', () => {
    const text = (at: string) => build({ occurredAt: new Date(at) }).text;
    expect(text('2026-08-04T12:00:00.999Z')).toContain('"occurred_at":"2026-08-04T12:00:00.000Z"');
    expect(text('2026-12-31T23:59:59.999Z')).toContain('"occurred_at":"2026-12-31T23:59:59.000Z"');
    expect(text('1969-12-31T23:59:59.001Z')).toContain('"occurred_at":"1969-12-31T23:59:59.000Z"');
  });

  it.each([0, -1, 999, 9_007_199_254_740_991, -9_007_199_254_740_991])(
    'takes %d as id and status, known or not, and equal ones too (CC-21)',
    (code) => {
      const { text } = build(dataOf({ ...CHANGE, service_id: code, status: code, old_status: code }));
      expect(text).toContain(`"service_id":${code},`);
      expect(text).toContain(`"status":${code},"old_status":${code}}`);
    },
  );

  it.each(['service_id', 'status', 'old_status'])('requires %s as a safe integer (CC-21)', (name) => {
    const { [name]: removed, ...rest } = CHANGE as Record<string, unknown>;
    expect(codes(dataOf(rest))).toEqual([`/data/${name} REQUIRED`]);
    for (const value of [null, String(removed), true, [], {}]) {
      expect(codes(dataOf({ ...rest, [name]: value }))).toEqual([`/data/${name} INVALID_TYPE`]);
    }
    for (const source of ['6.5', '6.0', '6e0', '-0', '9007199254740992', '-9007199254740992', '1e400']) {
      const dataJson = JSON.stringify({ ...rest, [name]: 'HERE' }).replace('"HERE"', source);
      expect(codes({ dataJson })).toEqual([`/data/${name} INVALID_VALUE`]);
    }
  });

  it('refuses a service code that is neither text nor null, and unknown keys (CC-21)', () => {
    expect(codes(dataOf({ ...CHANGE, service_internal_code: 7 }))).toEqual([
      '/data/service_internal_code INVALID_TYPE',
    ]);
    expect(codes(dataOf({ ...CHANGE, id: 'x', 'a/b': 1, Status: 6 }))).toEqual([
      '/data/id UNKNOWN_FIELD',
      '/data/a~1b UNKNOWN_FIELD',
      '/data/Status UNKNOWN_FIELD',
    ]);
  });

  it('refuses data that is no object or has a key twice, with the place', () => {
    expect(codes({ dataJson: '[]' })).toEqual(['/data INVALID_TYPE']);
    expect(codes({ dataJson: '{"status":1,"status":1}' })).toEqual(['/data/status DUPLICATE_KEY']);
  });
});

describe('the event type', () => {
  it.each(['service.created', 'Service.Status_Changed', '', '__proto__'])(
    'is service.status_changed and not %j (CC-20)',
    (type) => {
      expect(cortecloud.eventTypes.map(({ name }) => name)).toEqual(['service.status_changed']);
      expect(codes({ type })).toEqual(['/type UNKNOWN_EVENT_TYPE']);
    },
  );
});

describe('the event id', () => {
  const idOf = (more: Partial<PublishedEvent> = {}) => build(more).publicId;

  it('is the one of the vector, which Python computed (CC-22)', () => {
    expect(idOf()).toBe(EXAMPLE_PUBLISHED.eventId);
    expect(idOf()).toMatch(/^[0-9a-f]{64}$/);
    expect(build().text).toContain(`"id":"${idOf()}"`);
  });

  it('is shared by all changes of one service within one second (CC-22)', () => {
    expect(idOf({ occurredAt: new Date('2026-08-04T12:00:00.999Z') })).toBe(idOf());
    expect(idOf(dataOf({ ...CHANGE, status: 7, old_status: 6, service_internal_code: null }))).toBe(idOf());
    expect(idOf(applicationOf({ id: 'another-application' }))).toBe(idOf());
    expect(idOf({ acceptedAt: new Date(0) })).toBe(idOf());
  });

  it('differs in environment, service center, service and second (CC-01, CC-22)', () => {
    const { attributes } = EXAMPLE_PUBLISHED;
    const ids = [
      idOf(),
      idOf(applicationOf({ environment: 'staging' })),
      idOf(applicationOf({ attributes: { ...attributes, companyId: 124 } })),
      idOf(applicationOf({ attributes: { ...attributes, companyInternalCode: 'CENTRAL-02' } })),
      idOf(dataOf({ ...CHANGE, service_id: 457 })),
      idOf({ occurredAt: new Date('2026-08-04T12:00:01.000Z') }),
      idOf({ occurredAt: new Date('2026-08-04T11:59:59.999Z') }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('does not confuse parts that run together when written in a row (CC-22)', () => {
    const center = (companyId: number, companyInternalCode: string) =>
      idOf(applicationOf({ attributes: { companyId, companyInternalCode } }));
    expect(center(12, '3')).not.toBe(center(1, '23'));
    expect(center(1, '2","3')).not.toBe(center(1, '2'));
  });

  it('needs the time of the change: acceptance is no substitute (CC-22)', () => {
    expect(codes({ occurredAt: null })).toEqual(['/occurredAt REQUIRED']);
    expect(codes({ occurredAt: null, dataJson: '{}' })).toHaveLength(4);
  });

  it('is never the producer’s (CC-22)', () => {
    expect(cortecloud.eventIdentity).toBe('derived');
    expect(() => cortecloud.buildEvent(published({ publicId: 'mine' }))).toThrow('derives event ids');
  });
});

describe('the time of the change', () => {
  it('stays whole beside the body, so that the first attempt is not a part of a second early (CC-35)', () => {
    const occurredAt = new Date('2026-08-04T12:00:00.999Z');
    expect(build({ occurredAt }).occurredAt).toEqual(occurredAt);
  });
});
