import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type OperatorEvent, operatorEventSchema } from '#delivery/operator-events/operator-event.js';
import {
  KEPT_MS,
  MAX_EVENTS,
  OperatorUrlRelay,
  type OperatorUrlRelayOptions,
} from '#delivery/operator-events/operator-url-relay.js';
import { systemClock } from '#domain/clock.js';
import { createLogger } from '#observability/logger.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import { recordOperatorEvent } from '#storage/sql/operator-events.js';
import { Platform } from '../support/platform.js';
import { headerOf, type Received, RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';
import { standardWebhooksRefusal } from '../verifiers/standard-webhooks-verifier.js';

const KEY = Buffer.alloc(32, 7);
const SECRET = `whsec_${KEY.toString('base64')}`;
const SECRET_PATH = '/in/room-that-nobody-may-know';

let platform: Platform;
let receiver: RecordingReceiver;
let logged: string;

beforeAll(async () => {
  platform = await Platform.create();
  await platform.addApplication('acme');
});
afterAll(() => platform.destroy());
beforeEach(async () => {
  receiver = await RecordingReceiver.start();
  logged = '';
});
afterEach(async () => {
  await receiver.stop();
  await platform.sql('DELETE FROM operator_posts');
  await platform.sql('UPDATE fleet_turns SET next_at = now_ms(), failures = 0');
});

function relay(options: Partial<OperatorUrlRelayOptions> = {}): OperatorUrlRelay {
  const logger = createLogger(
    { role: 'test', level: 'trace', format: 'json' },
    { write: (line: string) => void (logged += line) },
  );
  const target = options.target ?? { url: receiver.urlOf(SECRET_PATH), secret: KEY };
  const { database, outbound } = platform;
  return new OperatorUrlRelay({ database, outbound, clock: systemClock, logger, ...options, target });
}

const lines = (message: string) => logged.split('\n').filter((line) => line.includes(`"${message}"`));

/** Disables an endpoint that has this number, as far as those who are told know. */
async function happens(number: number): Promise<void> {
  await recordOperatorEvent(platform.database, {
    type: 'endpoint.disabled',
    application: 'acme',
    endpoint: String(number),
    cause: 'operator',
    reason: 'to be told of',
    consecutiveFailures: 0,
    lastHttpStatus: null,
    lastError: null,
  });
}

/** What the turn waits for, or who has it, is over. */
const turnComes = () => platform.sql('UPDATE fleet_turns SET next_at = now_ms()');

const eventsOf = (received: Received) =>
  (JSON.parse(String(received.body)) as { events: OperatorEvent[] }).events;
const endpointsTold = () => receiver.received.map((one) => eventsOf(one).map(({ endpoint }) => endpoint));
const waiting = async () => (await platform.sql('SELECT FROM operator_posts')).length;

describe('the operator URL', () => {
  it('gets what happened in order, in one POST that a library for Standard Webhooks verifies', async () => {
    for (const number of [1, 2, 3]) await happens(number);
    expect(await relay().round()).toBe(Infinity);
    expect(endpointsTold()).toEqual([['1', '2', '3']]);
    const [post] = receiver.received;
    expect(standardWebhooksRefusal(post!, SECRET)).toBeNull();
    expect(post!.path).toBe(SECRET_PATH);
    expect(headerOf(post!, 'content-type')).toBe('application/json');
    for (const event of eventsOf(post!)) operatorEventSchema.parse(event);
    expect(await waiting()).toBe(0);
    await relay().round();
    expect(receiver.received).toHaveLength(1);
  });

  it('gets it unsigned where no secret is set', async () => {
    await happens(1);
    await relay({ target: { url: receiver.url, secret: null } }).round();
    expect(headerOf(receiver.received[0]!, 'webhook-id')).toMatch(/^msg_[0-9a-f]{32}$/);
    expect(headerOf(receiver.received[0]!, 'webhook-signature')).toBeUndefined();
  });

  it('gets everything, in order, when it comes back, and the log tells once of an outage', async () => {
    receiver.answer = (_, index) => ({ status: index < 3 ? 503 : 200 });
    const workers = [relay(), relay(), relay()];
    const waitSeconds: number[] = [];
    for (let round = 0; round < 3; round++) {
      await happens(round);
      const owed = await Promise.all(workers.map((worker) => worker.round()));
      waitSeconds.push(Math.ceil(Math.min(...owed) / 1_000));
      expect(await Promise.all(workers.map((worker) => worker.round()))).not.toContain(0);
      await turnComes();
    }
    await happens(3);
    await Promise.all(workers.map((worker) => worker.round()));
    expect(endpointsTold()).toEqual([['0'], ['0', '1'], ['0', '1', '2'], ['0', '1', '2', '3']]);
    expect(waitSeconds).toEqual([1, 2, 4]);
    expect(lines('operator-url.away').map((line) => (JSON.parse(line) as { reason: string }).reason)).toEqual(
      ['OPERATOR_URL answered 503.'],
    );
    expect(lines('operator-url.back')).toHaveLength(1);
  });

  it('gets the same message under the same id again when the process was killed before it noted the answer', async () => {
    await happens(1);
    await happens(2);
    const { outbound } = platform;
    const killed = relay({
      outbound: {
        post: async (request) => {
          await outbound.post(request);
          throw new Error('killed');
        },
      },
    });
    await expect(killed.round()).rejects.toThrow('killed');
    expect(await relay().round()).toBeGreaterThan(10_000);
    await turnComes();
    await relay().round();
    const [first, second] = receiver.received;
    expect(eventsOf(second!)).toEqual(eventsOf(first!));
    expect(headerOf(second!, 'webhook-id')).toBe(headerOf(first!, 'webhook-id'));
    expect(await waiting()).toBe(0);
  });

  it('gets another message id where something was added to what was sent before', async () => {
    receiver.answer = (_, index) => ({ status: index === 0 ? 500 : 200 });
    await happens(1);
    await relay().round();
    await happens(2);
    await turnComes();
    await relay().round();
    expect(new Set(receiver.headerValues('webhook-id')).size).toBe(2);
  });

  it('gets a flood of 10,000 dead deliveries in a hundred POSTs, complete and in order', async () => {
    await platform.sql(
      `INSERT INTO operator_posts (id, application_id, payload, created_at)
       SELECT n, 'acme', jsonb_build_object('type', 'delivery.dead', 'application', 'acme', 'contract', 'tf-fiscal',
                'endpoint', '1', 'delivery', n::text, 'event', 'evt-' || n, 'eventType', 'x', 'state', 'dead',
                'attemptCount', 6, 'lastHttpStatus', 500, 'lastError', NULL), now_ms()
         FROM generate_series(1, 10000) AS n`,
    );
    const flooded = relay();
    while ((await flooded.round()) === 0);
    expect(receiver.received).toHaveLength(10_000 / MAX_EVENTS);
    expect(receiver.received.flatMap((one) => eventsOf(one).map(({ id }) => Number(id)))).toEqual(
      Array.from({ length: 10_000 }, (_, index) => index + 1),
    );
  });

  it('does not get what is older than a day; the log says how many were dropped', async () => {
    for (const number of [1, 2, 3]) await happens(number);
    await platform.sql(
      `UPDATE operator_posts SET created_at = created_at - $1 * interval '1 ms' WHERE payload ->> 'endpoint' < '3'`,
      [KEPT_MS],
    );
    await relay().round();
    expect(endpointsTold()).toEqual([['3']]);
    const [line, ...more] = lines('operator-url.events-dropped');
    expect(more).toEqual([]);
    expect(JSON.parse(line!)).toMatchObject({ level: 'warn', events: 2 });
  });

  it('is not called back while all that waited for it was dropped and nothing sent', async () => {
    receiver.answer = () => ({ status: 503 });
    await happens(1);
    await relay().round();
    await platform.sql(`UPDATE operator_posts SET created_at = created_at - $1 * interval '1 ms'`, [KEPT_MS]);
    await turnComes();
    await relay().round();
    await happens(2);
    await relay().round();
    expect(endpointsTold()).toEqual([['1'], ['2']]);
    expect(lines('operator-url.back')).toEqual([]);
    expect(lines('operator-url.away')).toHaveLength(1);
  });

  it('is held to the address guard; the log names the setting that lets it through', async () => {
    const guarded = new OutboundClient({ allowPrivateCidrs: [] });
    try {
      await happens(1);
      await relay({ outbound: guarded }).round();
    } finally {
      await guarded.close();
    }
    expect(receiver.received).toEqual([]);
    const [line] = lines('operator-url.away');
    expect(line).toContain('ALLOW_PRIVATE_CIDRS');
    expect(await waiting()).toBe(1);
  });

  it('is never told in the log, nor is its secret, whatever goes wrong', async () => {
    const target = { url: receiver.urlOf(SECRET_PATH), secret: KEY };
    await happens(1);
    receiver.answer = () => ({ status: 500, body: SECRET_PATH });
    await relay({ target }).round();
    await turnComes();
    await receiver.stop();
    await relay({ target }).round();
    await turnComes();
    await platform.sql('UPDATE fleet_turns SET failures = 0');
    await relay({ target }).round();
    expect(lines('operator-url.away')).toHaveLength(2);
    for (const secret of [SECRET_PATH, SECRET.slice(6), KEY.toString('hex')])
      expect(logged).not.toContain(secret);
  });
});

describe('a worker', () => {
  it('delivers and announces dead letters while the operator URL hangs, and stops without waiting for it', async () => {
    const operator = await RecordingReceiver.start();
    operator.answer = () => 'hang';
    const busy = await Platform.create({ operatorUrl: { url: operator.url, secret: null } });
    try {
      receiver.answer = (_, index) => ({ status: index === 0 ? 500 : 200 });
      await busy.addApplication('acme', { retryWaits: [] });
      await busy.addEndpoint('acme', receiver.url);
      await busy.startWorker();
      await busy.publish('acme', 'dies');
      await until(() => operator.open === 1);
      const topics = () => busy.announced.map(({ topic }) => topic);
      await until(() => topics().length === 2);
      expect(topics().sort()).toEqual(['dead-letters.v1', 'operator-events.v1']);
      await busy.publish('acme', 'arrives');
      await until(async () => (await busy.states())['delivered'] === 1);
      const before = performance.now();
      await busy.stopWorker();
      expect(performance.now() - before).toBeLessThan(2_000);
      expect(operator.received).toHaveLength(1);
      expect(await busy.sql('SELECT failures FROM fleet_turns WHERE next_at <= now()')).toContainEqual({
        failures: 0,
      });
      expect(await busy.sql('SELECT FROM operator_posts')).toHaveLength(1);
    } finally {
      await busy.destroy();
      await operator.stop();
    }
  });

  it('without an operator URL sends nothing anywhere, and keeps nothing for longer than a day', async () => {
    const quiet = await Platform.create({ logLevel: 'info' });
    try {
      await quiet.addApplication('acme', { retryWaits: [] });
      await quiet.addEndpoint('acme', receiver.url);
      await quiet.sql(
        `INSERT INTO operator_posts (id, application_id, payload, created_at)
         VALUES (-1, 'acme', '{}', now_ms() - interval '25 hours')`,
      );
      receiver.answer = () => ({ status: 500 });
      await quiet.startWorker();
      await quiet.publish('acme', 'dies');
      await until(() => quiet.announced.length === 2);
      await until(async () => (await quiet.sql('SELECT FROM operator_posts WHERE id < 0')).length === 0);
      expect(receiver.received).toHaveLength(1);
      expect(await quiet.sql('SELECT FROM operator_posts')).toHaveLength(1);
      expect(quiet.logged.filter(({ msg }) => String(msg).startsWith('operator-url'))).toEqual([]);
    } finally {
      await quiet.destroy();
    }
  });
});
