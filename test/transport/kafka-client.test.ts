import { expect, it } from '@jest/globals';
import { KafkaClient } from '#transport/kafka/kafka-client.js';
import { KafkajsLog } from '#transport/kafka/kafkajs-log.js';
import { testBrokers, testTopicPrefix } from '../support/kafka.js';
import { kafkaSettings, RememberingLog } from '../support/kafka-topics.js';

it('a client that was cut off is told so at once, and never connects again', async () => {
  const settings = kafkaSettings(await testBrokers(), testTopicPrefix());
  const client = new KafkaClient(settings, 'test', new KafkajsLog(new RememberingLog()));
  const admin = client.kafka.admin({ retry: { retries: 0 } });
  await admin.connect();
  const underWay = admin.describeCluster();
  client.cut();
  await expect(underWay).rejects.toThrow('given up');
  await expect(admin.describeCluster()).rejects.toThrow('given up');
  await expect(client.kafka.admin({ retry: { retries: 0 } }).connect()).rejects.toThrow('given up');
}, 60_000);
