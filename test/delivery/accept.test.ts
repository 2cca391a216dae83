import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Platform, smallEvent } from '../support/platform.js';

let platform: Platform;

beforeAll(async () => {
  platform = await Platform.create();
  await platform.addApplication('acme');
});
afterAll(() => platform.destroy());

async function eventsNamed(id: string): Promise<number> {
  return (await platform.sql('SELECT FROM events WHERE public_id = $1', [id])).length;
}

describe('acceptance', () => {
  it('keeps an event that nobody wants, and says so in its counts', async () => {
    const answer = await platform.publish('acme', 'no-target');
    expect(answer).toEqual({
      application: 'acme',
      id: 'no-target',
      duplicate: false,
      reserved: false,
      deliveryCount: 0,
      suppressedCount: 0,
    });
    expect(await eventsNamed('no-target')).toBe(1);
  });

  it('makes one event of 20 concurrent publishes of one id, and all 20 answers name it', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => platform.publish('acme', 'same')));
    expect(answers.filter((answer) => !answer.duplicate)).toHaveLength(1);
    expect(new Set(answers.map((answer) => answer.id))).toEqual(new Set(['same']));
    expect(await eventsNamed('same')).toBe(1);
  });

  it('answers a repeat as a duplicate also when only occurredAt and whitespace differ', async () => {
    await platform.publish('acme', 'again');
    const answer = await platform.acceptor.publish({
      ...smallEvent('acme', 'again'),
      occurredAt: new Date('2026-01-01T00:00:00Z'),
      dataJson: '{ "event_code" : "110180",\n "n_seq": "1", "protocolo": "1" }',
    });
    expect(answer).toMatchObject({ duplicate: true, deliveryCount: null, suppressedCount: null });
  });

  it('refuses an id that belongs to an event with other data', async () => {
    await platform.publish('acme', 'taken', '1');
    await expect(platform.publish('acme', 'taken', '2')).rejects.toMatchObject({ code: 'EVENT_ID_REUSED' });
    expect(await eventsNamed('taken')).toBe(1);
  });

  it('refuses an unknown application', async () => {
    await expect(platform.publish('nobody', 'x')).rejects.toMatchObject({ code: 'UNKNOWN_APPLICATION' });
  });

  it('harms no other event of a batch of 500 when one is invalid', async () => {
    const events = Array.from({ length: 500 }, (_, index) => smallEvent('acme', `batch-${index}`));
    events[250] = { ...events[250]!, dataJson: '{"event_code":1}' };
    const outcomes = await platform.acceptor.publishAll(events);
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(499);
    expect(outcomes[250]).toMatchObject({ ok: false, error: { code: 'VALIDATION_FAILED' } });
    const [row] = await platform.sql<{ count: number }>(
      `SELECT count(*) FROM events WHERE public_id LIKE 'batch-%'`,
    );
    expect(row!.count).toBe(499);
  });

  it('sets one event apart that the database cannot keep, and keeps the other 499 of its statement', async () => {
    const events = Array.from({ length: 500 }, (_, index) => smallEvent('acme', `nul-${index}`));
    // The edge refuses such an id; were it to slip through, PostgreSQL would refuse the whole statement.
    events[7] = smallEvent('acme', 'nul-\u0000');
    const outcomes = await platform.acceptor.publishAll(events);
    expect(outcomes.filter((outcome) => outcome.ok)).toHaveLength(499);
    expect(outcomes[7]).toMatchObject({ ok: false });
  });

  it('names a repeat within one batch a duplicate, and a changed repeat a conflict', async () => {
    const outcomes = await platform.acceptor.publishAll([
      smallEvent('acme', 'twice', '1'),
      smallEvent('acme', 'twice', '1'),
      smallEvent('acme', 'twice', '2'),
    ]);
    expect(outcomes).toMatchObject([
      { ok: true, answer: { duplicate: false } },
      { ok: true, answer: { duplicate: true } },
      { ok: false, error: { code: 'EVENT_ID_REUSED' } },
    ]);
  });

  it('gives each event and delivery an id in the order of time that JavaScript holds exactly', async () => {
    const endpoint = await platform.addEndpoint('acme', 'http://127.0.0.1:9/');
    await platform.publish('acme', 'first-id');
    await platform.publish('acme', 'second-id');
    const rows = await platform.sql<{ id: number; event_id: number }>(
      'SELECT d.id, d.event_id FROM deliveries d JOIN events e ON e.id = d.event_id WHERE endpoint_id = $1 ORDER BY e.id',
      [endpoint],
    );
    expect(rows).toHaveLength(2);
    const ids = rows.flatMap((row) => [row.event_id, row.id]);
    expect(ids.every(Number.isSafeInteger)).toBe(true);
    expect(rows[0]!.event_id).toBeLessThan(rows[1]!.event_id);
  });

  it('lets a changed delay of first attempts count at the latest from the second event after the change', async () => {
    await platform.addApplication('delayed');
    const endpoint = await platform.addEndpoint('delayed', 'http://127.0.0.1:9/');
    await platform.publish('delayed', 'before');
    await platform.sql(
      `UPDATE applications SET settings = '{"firstAttemptDelay": "1h"}', updated_at = now_ms() WHERE id = 'delayed'`,
    );
    await platform.publish('delayed', 'first-after');
    await platform.publish('delayed', 'second-after');
    const rows = await platform.sql<{ waitS: number }>(
      `SELECT round(extract(epoch FROM scheduled_at - now()))::int AS "waitS" FROM deliveries
        WHERE endpoint_id = $1 ORDER BY id`,
      [endpoint],
    );
    expect(rows[0]!.waitS).toBeLessThanOrEqual(0);
    expect(rows[2]!.waitS).toBeGreaterThan(3_500);
  });

  it('asks for an application once, not again for each of its events', async () => {
    await platform.addApplication('asked-once');
    const query = jest.spyOn(platform.database, 'query');
    for (let index = 0; index < 5; index++) await platform.publish('asked-once');
    const asked = query.mock.calls.filter(([statement]) => statement.name === 'find-application-facts');
    query.mockRestore();
    expect(asked).toHaveLength(1);
  });
});
