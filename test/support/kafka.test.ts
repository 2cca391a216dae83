import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { startTestKafka, testBrokers, type TestKafka, testTopicPrefix } from './kafka.js';

const prefix = testTopicPrefix();

function adminOf(brokers: string) {
  const retry = { retries: 1, initialRetryTime: 50 };
  return new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING, requestTimeout: 1_000, retry }).admin();
}

async function topicsAt(brokers: string): Promise<string[]> {
  const admin = adminOf(brokers);
  try {
    await admin.connect();
    return await admin.listTopics();
  } finally {
    await admin.disconnect();
  }
}

describe('the Kafka of the test run', () => {
  it('answers, and is the same for whoever asks', async () => {
    const brokers = await testBrokers();
    expect(await testBrokers()).toBe(brokers);
    expect(await topicsAt(brokers)).toEqual(expect.any(Array));
  });
});

describe('a Kafka of a test of its own', () => {
  let kafka: TestKafka;
  beforeAll(async () => {
    kafka = await startTestKafka();
  }, 60_000);
  afterAll(() => kafka.remove());

  it('comes back at the same address with what it held', async () => {
    const admin = adminOf(kafka.brokers);
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: `${prefix}kept` }] });
    await admin.disconnect();
    await kafka.stop();
    await expect(topicsAt(kafka.brokers)).rejects.toThrow();
    await kafka.start();
    expect(await topicsAt(kafka.brokers)).toContain(`${prefix}kept`);
  }, 60_000);

  it('answers nothing while it is paused', async () => {
    await kafka.pause();
    await expect(topicsAt(kafka.brokers)).rejects.toThrow();
    await kafka.resume();
    expect(await topicsAt(kafka.brokers)).toContain(`${prefix}kept`);
  });
});
