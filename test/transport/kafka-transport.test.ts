import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EachMessagePayload } from 'kafkajs';
import type { EventRecord } from '#domain/event-record.js';
import { KafkaTransport } from '#transport/kafka/kafka-transport.js';
import { testBrokers, testTopicPrefix } from '../support/kafka.js';
import { KafkaBystander, kafkaSettings, RememberingLog } from '../support/kafka-topics.js';
import { until } from '../support/until.js';
import { type Connected, CollectingReceiver, describeTransport, referencesOf } from './conformance.js';

const patience = { timeoutMs: 20_000 };
let brokers: string;
beforeAll(async () => {
  brokers = await testBrokers();
}, 60_000);

describeTransport('KafkaTransport', async (): Promise<Connected> => {
  const settings = kafkaSettings(brokers, testTopicPrefix());
  const log = new RememberingLog();
  const [sender, receiver] = ['ingest', 'worker'].map((name) => new KafkaTransport(settings, name, log)) as [
    KafkaTransport,
    KafkaTransport,
  ];
  const bystander = new KafkaBystander(brokers);
  let read: EachMessagePayload[] | undefined;
  return {
    sender,
    receiver,
    announced: async (topics) => {
      read ??= await bystander.read(topics.map((topic) => settings.topicPrefix + topic));
      return read.map(({ topic, message }) => ({
        topic: topic.slice(settings.topicPrefix.length),
        key: String(message.key),
        payload: JSON.parse(String(message.value)) as Record<string, unknown>,
      }));
    },
    close: async () => {
      await Promise.all([sender.close(), receiver.close(), bystander.leave()]);
    },
  };
});

describe('KafkaTransport', () => {
  const opened: (() => Promise<unknown>)[] = [];
  const open = (prefix: string, name = 'test', log = new RememberingLog()) => {
    const transport = new KafkaTransport(kafkaSettings(brokers, prefix), name, log);
    opened.push(() => transport.close());
    return transport;
  };
  afterAll(() => Promise.all(opened.map((end) => end())));

  it('shares the endpoints out among workers, each reference to one of them', async () => {
    const prefix = testTopicPrefix();
    const [sender, ...workers] = [open(prefix), open(prefix), open(prefix)];
    const receivers = workers.map(() => new CollectingReceiver());
    for (const [index, worker] of workers.entries()) await worker.receiveReferences(receivers[index]!);
    await until(() => [sender, ...workers].every(({ connected }) => connected), patience);
    const references = referencesOf(
      Array.from({ length: 200 }, (_, index) => index),
      5,
    );
    // Until the group is shared out among both, one has it all.
    await until(async () => {
      await sender.sendReferences(
        referencesOf(
          Array.from({ length: 50 }, (_, index) => 1_000 + index),
          1,
        ),
      );
      return receivers.every(({ received }) => received.length > 0);
    }, patience);
    for (const receiver of receivers) receiver.received.length = 0;
    expect(await sender.sendReferences(references)).toEqual([]);
    const all = () =>
      receivers.flatMap(({ received }) => received).filter(({ endpointId }) => endpointId < 2 ** 51 + 1_000);
    await until(() => all().length >= references.length, patience);
    expect(all()).toHaveLength(references.length);
    expect(new Set(all().map(({ deliveryId }) => deliveryId)).size).toBe(references.length);
    for (const { received } of receivers) expect(received.length).toBeGreaterThan(references.length / 5);
  });

  it('commits the offset of a reference before it hands it on', async () => {
    const prefix = testTopicPrefix();
    const transport = open(prefix);
    const bystander = new KafkaBystander(brokers);
    const committedAtHandOver: Promise<number[]>[] = [];
    await transport.receiveReferences({
      receive: () =>
        committedAtHandOver.push(bystander.committed(`${prefix}worker`, `${prefix}deliveries.v1`)),
      hasRoom: () => true,
    });
    await until(() => transport.connected, patience);
    await transport.sendReferences(referencesOf([7], 1));
    await until(() => committedAtHandOver.length > 0, patience);
    expect((await committedAtHandOver[0]!).filter((offset) => offset === 1)).toHaveLength(1);
  });

  it('passes over what is no reference', async () => {
    const prefix = testTopicPrefix();
    const transport = open(prefix);
    const receiver = new CollectingReceiver();
    await transport.receiveReferences(receiver);
    await until(() => transport.connected, patience);
    const junk = [null, '', '{', '{}', '[[1]]', '[[1,"x"]]', '[null]', '[[9007199254740993,1]]'];
    const messages = junk.flatMap((value) => ['5', 'x'].map((key) => ({ key, value })));
    await new KafkaBystander(brokers).send(`${prefix}deliveries.v1`, messages);
    await transport.sendReferences(referencesOf([5], 1));
    await until(() => receiver.received.length > 0, patience);
    expect(receiver.received).toEqual(referencesOf([5], 1));
  });

  it('puts a record that is no event on the topic for those, unchanged, with the reason', async () => {
    const prefix = testTopicPrefix();
    const transport = open(prefix);
    await until(() => transport.ready, patience);
    const record: EventRecord = {
      topic: `${prefix}events.v1`,
      partition: 3,
      offset: '9007199254740993',
      timestampMs: 1_760_000_000_000,
      key: Buffer.from([0, 255, 1]),
      value: Buffer.from([0xff, 0x00, 0x7b]),
      headers: [
        ['trace', Buffer.from('a')],
        ['trace', Buffer.from([0xfe])],
        ['__proto__', Buffer.from('harmless')],
      ],
    };
    const huge = { ...record, offset: '1', value: Buffer.alloc(3 * 1024 * 1024, 'x') };
    const tombstone = { ...record, offset: '2', key: null, value: null, headers: [] };
    await transport.rejectEvents([
      { record, code: 'VALIDATION_FAILED', detail: 'data is missing: ação' },
      { record: huge, code: 'PAYLOAD_TOO_LARGE', detail: 'too large' },
      { record: tombstone, code: 'VALIDATION_FAILED', detail: 'empty' },
    ]);
    const bystander = new KafkaBystander(brokers);
    opened.push(() => bystander.leave());
    const read = await bystander.read([`${prefix}events.rejected.v1`]);
    await until(() => read.length >= 3, patience);
    const byOrigin = new Map(
      read.map(({ message }) => [String(message.headers?.['entrega-origin']), message]),
    );
    const origin = `${prefix}events.v1/3`;
    const first = byOrigin.get(`${origin}/9007199254740993`)!;
    expect([first.key, first.value]).toEqual([record.key, record.value]);
    expect(first.headers).toMatchObject({
      trace: [Buffer.from('a'), Buffer.from([0xfe])],
      'entrega-error-code': Buffer.from('VALIDATION_FAILED'),
      'entrega-error-detail': Buffer.from('data is missing: ação'),
    });
    // It is not kept from its place by its size: what cannot be repeated is named.
    expect(byOrigin.get(`${origin}/1`)).toMatchObject({
      key: record.key,
      value: null,
      headers: {
        'entrega-error-code': Buffer.from('PAYLOAD_TOO_LARGE'),
        'entrega-value-omitted': expect.anything(),
      },
    });
    expect(byOrigin.get(`${origin}/2`)).toMatchObject({ key: null, value: null });
  });
});
