import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { contractNamed } from '#contracts/registry.js';
import type { EnvelopeCheck } from '#delivery/accept/event-envelope.js';
import { EventRecordIntake, type EventRecordIntakeOptions } from '#delivery/accept/event-record-intake.js';
import type { EventRecord, RejectedRecord } from '#domain/event-record.js';
import { validated } from '#http/validation.js';
import { createLogger } from '#observability/logger.js';
import { Platform } from '../support/platform.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';

const DATA = { event_code: '110180', n_seq: '1', protocolo: '1' };
const EVENT = { application: 'acme', type: 'cte.event.registered', data: DATA };
const WRITTEN_AT = Date.UTC(2026, 8, 6, 12, 0, 0, 250);

let platform: Platform;
let receiver: RecordingReceiver;
let intake: EventRecordIntake;
let rejected: RejectedRecord[] = [];
const logged: Record<string, unknown>[] = [];
let offset = 0;

beforeAll(async () => {
  platform = await Platform.create({ logLevel: 'info' });
  receiver = await RecordingReceiver.start();
  await platform.addApplication('acme');
  await platform.addEndpoint('acme', receiver.url);
  await platform.addServiceCenter('center');
  await platform.startWorker();
  intake = intakeWith(keep);
});
afterEach(() => {
  rejected = [];
  jest.restoreAllMocks();
});
afterAll(async () => {
  await platform.destroy();
  await receiver.stop();
});

function intakeWith(
  reject: EventRecordIntakeOptions['reject'],
  check: EnvelopeCheck = validated,
): EventRecordIntake {
  const write = (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>);
  const logger = createLogger({ role: 'test', level: 'info', format: 'json' }, { write });
  return new EventRecordIntake({
    acceptor: platform.acceptor,
    check,
    reject,
    logger,
    metrics: platform.metrics,
  });
}

function keep(records: readonly RejectedRecord[]): Promise<void> {
  rejected.push(...records);
  return Promise.resolve();
}

function record(value: unknown, place: Partial<EventRecord> = {}): EventRecord {
  const bytes = Buffer.isBuffer(value) || value === null ? value : Buffer.from(textOf(value));
  return {
    topic: 'entrega.events.v1',
    partition: 3,
    offset: String((offset += 1)),
    timestampMs: WRITTEN_AT,
    key: null,
    value: bytes,
    headers: [],
    ...place,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** An event whose data no other event has. */
function marked(protocolo: string, fields: object = {}) {
  return { ...EVENT, data: { ...DATA, protocolo }, ...fields };
}

interface StoredEvent {
  id: string;
  occurred_at: Date;
}

function eventsMarked(protocolo: string): Promise<StoredEvent[]> {
  return platform.sql(
    `SELECT public_id AS id, occurred_at FROM events WHERE position($1 IN convert_from(body, 'UTF8')) > 0 ORDER BY id`,
    [`"protocolo":"${protocolo}"`],
  );
}

const codesOf = (records: readonly RejectedRecord[]) => records.map(({ code }) => code);

describe('a polled batch', () => {
  it('is accepted by one statement and delivered', async () => {
    const query = jest.spyOn(platform.database, 'query');
    await intake.take(
      [marked('b-1', { id: 'b-1' }), marked('b-2', { id: 'b-2' })].map((event) => record(event)),
    );
    const statements = query.mock.calls.map(([statement]) => statement.name);
    expect(statements.filter((name) => name === 'accept-events')).toHaveLength(1);
    await until(() =>
      ['b-1', 'b-2'].every((id) => receiver.headerValues('X-Tffiscal-Event-Id').includes(id)),
    );
    expect(rejected).toEqual([]);
  });

  it('may be long, and is accepted whole', async () => {
    const records = Array.from({ length: 1_200 }, (_, n) => record(n % 100 === 0 ? '{' : marked('many')));
    await intake.take(records);
    expect(await eventsMarked('many')).toHaveLength(1_188);
    expect(rejected.map((one) => records.indexOf(one.record))).toEqual(
      Array.from({ length: 12 }, (_, n) => n * 100),
    );
  });

  it('passes values on as the exact slices that were published (TF-21)', async () => {
    await intake.take([
      record(
        '{"application":"acme","type":"cte.event.registered","id":"raw-1","data":' +
          '{ "event_code":"110180", "n_seq":"1", "protocolo":"caf\\u00e9", "extra": 1.50 }}',
      ),
    ]);
    const [row] = await platform.sql<{ body: string }>(
      `SELECT convert_from(body, 'UTF8') AS body FROM events WHERE public_id = 'raw-1'`,
    );
    expect(row?.body).toContain(
      '"data":{"event_code":"110180","n_seq":"1","protocolo":"caf\\u00e9","extra":1.50}',
    );
  });
});

describe('an event without an id', () => {
  it('gets one from its place, so that reading it again makes no second event', async () => {
    const records = [record(marked('again')), record(marked('again'))];
    await intake.take(records);
    await intake.take(records);
    const events = await eventsMarked('again');
    expect(events.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^k-[0-9a-f]{32}$/),
      expect.stringMatching(/^k-[0-9a-f]{32}$/),
    ]);
    expect(events[0]!.id).not.toBe(events[1]!.id);
    expect(rejected).toEqual([]);
  });

  it('at the same place of a topic that was made anew is another event', async () => {
    const first = record(marked('anew'));
    await intake.take([first]);
    await intake.take([{ ...first, timestampMs: WRITTEN_AT + 1 }]);
    await intake.take([{ ...first, partition: 4 }]);
    await intake.take([{ ...first, topic: 'other.events.v1' }]);
    expect(new Set((await eventsMarked('anew')).map(({ id }) => id)).size).toBe(4);
  });

  it('happened when its record was written, but never ahead of our clock', async () => {
    const clockAhead = Date.now() + 3_600_000;
    await intake.take([
      record(marked('written')),
      record(marked('ahead'), { timestampMs: clockAhead }),
      record(marked('timeless'), { timestampMs: -1 }),
      record(marked('said', { occurredAt: '2026-01-02T03:04:05Z' })),
    ]);
    const occurredAt = async (protocolo: string) => (await eventsMarked(protocolo))[0]?.occurred_at.getTime();
    expect(await occurredAt('written')).toBe(WRITTEN_AT);
    for (const protocolo of ['ahead', 'timeless']) {
      const at = await occurredAt(protocolo);
      expect(at).toBeLessThanOrEqual(Date.now());
      expect(at).toBeGreaterThan(Date.now() - 60_000);
    }
    expect(await occurredAt('said')).toBe(Date.UTC(2026, 0, 2, 3, 4, 5));
  });

  it('of a contract that derives ids keeps to the contract: no id of ours, and its own time required', async () => {
    const change = {
      application: 'center',
      type: 'service.status_changed',
      data: { service_id: 1 },
    };
    await intake.take([record(change)]);
    expect(rejected).toMatchObject([{ code: 'VALIDATION_FAILED' }]);
    expect(rejected[0]!.detail).toContain('occurredAt is missing');
    expect(rejected[0]!.detail).not.toContain('must be left out');
  });
});

describe('a poison record', () => {
  const poison: [what: string, value: unknown, code: string][] = [
    ['a tombstone', null, 'NOT_JSON'],
    ['nothing', '', 'NOT_JSON'],
    ['not JSON', '{"application":', 'NOT_JSON'],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'NOT_JSON'],
    ['UTF-16', Buffer.from('\ufeff{}', 'utf16le'), 'NOT_JSON'],
    ['a list', [EVENT], 'VALIDATION_FAILED'],
    ['a key twice', '{"application":"acme","application":"acme"}', 'VALIDATION_FAILED'],
    ['an unknown field', { ...EVENT, extra: 1 }, 'VALIDATION_FAILED'],
    ['an unknown application', { ...EVENT, application: 'nobody' }, 'UNKNOWN_APPLICATION'],
    ['an unknown type', { ...EVENT, type: 'invoice.lost' }, 'VALIDATION_FAILED'],
    ['invalid data', { ...EVENT, data: { event_code: 1 } }, 'VALIDATION_FAILED'],
    ['a NUL in the type', { ...EVENT, type: 'a\u0000b' }, 'VALIDATION_FAILED'],
    ['a time that is none', { ...EVENT, occurredAt: 'yesterday' }, 'VALIDATION_FAILED'],
    ['data over 256 KiB', { ...EVENT, data: { ...DATA, big: 'x'.repeat(256 * 1024) } }, 'PAYLOAD_TOO_LARGE'],
    ['a record over 1 MiB', 'x'.repeat(1024 * 1024 + 1), 'PAYLOAD_TOO_LARGE'],
  ];

  it('is rejected unchanged with its reason, and all others of its batch are accepted', async () => {
    const records = poison.flatMap(([, value]) => [record(value), record(marked('beside'))]);
    await intake.take(records);
    const byRecord = new Map(rejected.map((one) => [one.record, one]));
    expect(poison.map(([what], index) => [what, byRecord.get(records[index * 2]!)?.code])).toEqual(
      poison.map(([what, , code]) => [what, code]),
    );
    expect(rejected).toHaveLength(poison.length);
    for (const { detail } of rejected) expect(detail.length).toBeGreaterThan(10);
    expect(await eventsMarked('beside')).toHaveLength(poison.length);
  });

  it('is one whose id belongs to another event, in its batch or before', async () => {
    const second = record(marked('reused-2', { id: 'reused' }));
    await intake.take([record(marked('reused-1', { id: 'reused' })), second]);
    await intake.take([
      record(marked('reused-3', { id: 'reused' })),
      record(marked('reused-1', { id: 'reused' })),
    ]);
    expect(codesOf(rejected)).toEqual(['EVENT_ID_REUSED', 'EVENT_ID_REUSED']);
    expect(rejected[0]!.record).toBe(second);
  });

  it('is one that our own code fails on: it is set aside and logged, and stops nothing', async () => {
    const contract = contractNamed('tf-fiscal');
    const build = contract.buildEvent.bind(contract);
    jest.spyOn(contract, 'buildEvent').mockImplementation((event) => {
      if (event.publicId === 'cursed') throw new TypeError('a fault of ours');
      return build(event);
    });
    await intake.take([record(marked('cursed', { id: 'cursed' })), record(marked('blessed'))]);
    expect(codesOf(rejected)).toEqual(['INTERNAL']);
    expect(await eventsMarked('blessed')).toHaveLength(1);
    expect(platform.logged).toContainEqual(
      expect.objectContaining({ msg: 'event.not-built', application: 'acme' }),
    );
    const stumbling = intakeWith(keep, (schema, value) => {
      if ((value as { id?: string }).id === 'stumbled-over') throw new RangeError('a fault of ours');
      return validated(schema, value);
    });
    await stumbling.take([record(marked('x', { id: 'stumbled-over' })), record(marked('walked-past'))]);
    expect(codesOf(rejected)).toEqual(['INTERNAL', 'INTERNAL']);
    expect(await eventsMarked('walked-past')).toHaveLength(1);
    expect(logged).toMatchObject([{ msg: 'record.not-read', origin: `entrega.events.v1/3/${offset - 1}` }]);
  });
});

describe('a batch fails as a whole', () => {
  it('while the database is away: nothing is rejected, and read again it is accepted', async () => {
    const records = [record(marked('outage')), record('{')];
    jest
      .spyOn(platform.database, 'query')
      .mockRejectedValue(Object.assign(new Error('shutting down'), { code: '57P01' }));
    await expect(intake.take(records)).rejects.toThrow('shutting down');
    expect(rejected).toEqual([]);
    jest.restoreAllMocks();
    await intake.take(records);
    expect(await eventsMarked('outage')).toHaveLength(1);
    expect(codesOf(rejected)).toEqual(['NOT_JSON']);
  });

  it('while the rejected topic takes nothing: what is valid is durable, and reading it again doubles nothing', async () => {
    const records = [record('{'), record(marked('topic-away'))];
    const away = intakeWith(() => Promise.reject(new Error('no broker')));
    await expect(away.take(records)).rejects.toThrow('no broker');
    await intake.take(records);
    expect(await eventsMarked('topic-away')).toHaveLength(1);
    expect(codesOf(rejected)).toEqual(['NOT_JSON']);
  });
});
