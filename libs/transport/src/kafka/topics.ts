import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, ITopicConfig } from 'kafkajs';
import type { KafkaSettings } from './kafka-settings.js';

/** What travels over Kafka, without the prefix. */
export const TOPICS = {
  events: 'events.v1',
  rejectedEvents: 'events.rejected.v1',
  deliveries: 'deliveries.v1',
  deadLetters: 'dead-letters.v1',
  attempts: 'attempts.v1',
  operatorEvents: 'operator-events.v1',
} as const;

/** References older than their leases are worth nothing: minutes, and rolled often enough to be dropped. */
const DELIVERIES_CONFIG = {
  'retention.ms': '600000',
  'segment.ms': '300000',
  'segment.bytes': '67108864',
};
/** Whatever a producer compresses with, kafkajs can read it: it knows gzip only. */
const EVENTS_CONFIG = { 'compression.type': 'uncompressed' };
/** Beyond the brokers' default of 1 MiB, for a rejected record carries its reason as well. */
const REJECTED_EVENTS_CONFIG = { 'max.message.bytes': '2097152' };

const CONFIG: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [TOPICS.events]: EVENTS_CONFIG,
  [TOPICS.rejectedEvents]: REJECTED_EVENTS_CONFIG,
  [TOPICS.deliveries]: DELIVERIES_CONFIG,
};

const LOOK_MS = 100;
const MAX_LOOKS = 50;

/**
 * Creates the topics that are missing. One that is there is left as it is, however it is set: it belongs to
 * whoever made it.
 *
 * @returns the full names of those that were created
 */
export async function createMissingTopics(admin: Admin, settings: KafkaSettings): Promise<string[]> {
  const present = new Set(await admin.listTopics());
  const missing = Object.values(TOPICS).filter((name) => !present.has(settings.topicPrefix + name));
  if (missing.length === 0) return [];
  const topics = missing.map((name): ITopicConfig => ({
    topic: settings.topicPrefix + name,
    numPartitions: settings.partitions,
    ...(settings.replication !== null && { replicationFactor: settings.replication }),
    configEntries: Object.entries(CONFIG[name] ?? {}).map(([key, value]) => ({ name: key, value })),
  }));
  const names = topics.map(({ topic }) => topic);
  if (await admin.createTopics({ topics, waitForLeaders: true })) return names;
  // Another process was faster, and may be at it still.
  for (let look = 0; look < MAX_LOOKS && !(await areThere(admin, names)); look++) await sleep(LOOK_MS);
  return [];
}

function areThere(admin: Admin, topics: string[]): Promise<boolean> {
  return admin.fetchTopicMetadata({ topics }).then(
    () => true,
    () => false,
  );
}
