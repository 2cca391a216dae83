import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigResourceTypes, Kafka, type Admin } from 'kafkajs';
import { createMissingTopics } from '#transport/kafka/topics.js';
import { testBrokers, testTopicPrefix } from '../support/kafka.js';
import { kafkaSettings } from '../support/kafka-topics.js';

const NAMES = [
  'attempts.v1',
  'dead-letters.v1',
  'deliveries.v1',
  'events.rejected.v1',
  'events.v1',
  'operator-events.v1',
];

describe('the topics', () => {
  let brokers: string;
  let admin: Admin;
  beforeAll(async () => {
    brokers = await testBrokers();
    admin = new Kafka({ brokers: [brokers], logLevel: 0, retry: { retries: 10 } }).admin();
    await admin.connect();
  }, 60_000);
  afterAll(() => admin.disconnect());

  const partitionsOf = async (prefix: string) => {
    const { topics } = await admin.fetchTopicMetadata({ topics: NAMES.map((name) => prefix + name) });
    return Object.fromEntries(
      topics.map(({ name, partitions }) => [name.slice(prefix.length), partitions.length]),
    );
  };
  const configOf = async (topic: string, name: string) => {
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: topic, configNames: [name] }],
    });
    return resources[0]!.configEntries[0]!.configValue;
  };

  it('are created when they are missing, with the partitions of the settings', async () => {
    const prefix = testTopicPrefix();
    const created = await createMissingTopics(admin, kafkaSettings(brokers, prefix, 3));
    expect(created.sort()).toEqual(NAMES.map((name) => prefix + name));
    expect(await partitionsOf(prefix)).toEqual(Object.fromEntries(NAMES.map((name) => [name, 3])));
    // References outlive their leases by little; events stand for as long as the brokers keep everything.
    expect(Number(await configOf(`${prefix}deliveries.v1`, 'retention.ms'))).toBeLessThanOrEqual(15 * 60_000);
    expect(Number(await configOf(`${prefix}events.v1`, 'retention.ms'))).toBeGreaterThan(24 * 3_600_000);
    expect(await createMissingTopics(admin, kafkaSettings(brokers, prefix, 3))).toEqual([]);
  });

  it('are left as they are when they are there', async () => {
    const prefix = testTopicPrefix();
    const own = { name: 'retention.ms', value: '123456789' };
    await admin.createTopics({
      topics: [{ topic: `${prefix}deliveries.v1`, numPartitions: 2, configEntries: [own] }],
    });
    const created = await createMissingTopics(admin, kafkaSettings(brokers, prefix, 5));
    expect(created).toHaveLength(NAMES.length - 1);
    expect(await partitionsOf(prefix)).toMatchObject({ 'deliveries.v1': 2, 'events.v1': 5 });
    expect(await configOf(`${prefix}deliveries.v1`, 'retention.ms')).toBe(own.value);
  });

  it('are there for every process when several create them at once', async () => {
    const prefix = testTopicPrefix();
    const all = await Promise.all(
      [1, 2, 3].map(async () => {
        const created = await createMissingTopics(admin, kafkaSettings(brokers, prefix, 3));
        return { created, partitions: await partitionsOf(prefix) };
      }),
    );
    for (const { partitions } of all) expect(Object.keys(partitions).sort()).toEqual(NAMES);
  });

  it('say why they cannot be created', async () => {
    const settings = { ...kafkaSettings(brokers, testTopicPrefix()), replication: 7 };
    await expect(createMissingTopics(admin, settings)).rejects.toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ type: 'INVALID_REPLICATION_FACTOR' })]),
    });
  });
});
