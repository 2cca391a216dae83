import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { operatorEventSchema } from '#delivery/operator-events/operator-event.js';
import { relayOutbox } from '#delivery/outbox-relay.js';
import { recordOperatorEvent } from '#storage/sql/operator-events.js';
import { KafkaTransport } from '#transport/kafka/kafka-transport.js';
import type { Announcement, Transport } from '#transport/transport.js';
import { testBrokers, testTopicPrefix } from '../support/kafka.js';
import { KafkaBystander, kafkaSettings, RememberingLog } from '../support/kafka-topics.js';
import { Platform } from '../support/platform.js';
import { until } from '../support/until.js';

const patience = { timeoutMs: 20_000 };
let platform: Platform;
let brokers: string;

beforeAll(async () => {
  brokers = await testBrokers();
  platform = await Platform.create();
}, 60_000);
afterAll(() => platform.destroy());

it('operator events are on a topic of their own, keyed by endpoint, and what a killed process repeats has the same id', async () => {
  const prefix = testTopicPrefix();
  const transport = new KafkaTransport(kafkaSettings(brokers, prefix), 'worker', new RememberingLog());
  const bystander = new KafkaBystander(brokers);
  try {
    await platform.addApplication('acme');
    for (const [index, endpoint] of ['11', '12', '11'].entries()) {
      await recordOperatorEvent(platform.database, {
        type: 'endpoint.restored',
        application: 'acme',
        endpoint,
        cause: 'operator',
        reason: `reason ${index}`,
        since: new Date(),
        suppressedCount: index,
      });
    }
    await until(() => transport.announce([]).then(() => transport.ready), patience);
    const killed = {
      announce: async (announcements: readonly Announcement[]) => {
        await transport.announce(announcements);
        throw new Error('killed');
      },
    } as unknown as Transport;
    // A topic that was just made may have no leader yet.
    await until(
      () =>
        relayOutbox(platform.database, killed).catch((error: unknown) => {
          if (error instanceof Error && error.message === 'killed') return true;
          throw error;
        }),
      patience,
    );
    await relayOutbox(platform.database, transport);

    const records = await bystander.read([`${prefix}operator-events.v1`]);
    await until(() => records.length >= 6, patience);
    const events = records.map(({ message }) => operatorEventSchema.parse(JSON.parse(String(message.value))));
    expect(records.map(({ message }) => String(message.key))).toEqual(events.map(({ endpoint }) => endpoint));
    const of11 = events.filter(({ endpoint }) => endpoint === '11').map(({ id }) => Number(id));
    expect(of11.slice(-4)).toEqual([of11[0], of11[1], of11[0], of11[1]]);
    expect(of11[1]).toBeGreaterThan(of11[0]!);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
  } finally {
    await transport.close();
    await bystander.leave();
  }
}, 60_000);
