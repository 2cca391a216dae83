import type { EventAcceptor } from '#delivery/accept/event-acceptor.js';
import { EventRecordIntake } from '#delivery/accept/event-record-intake.js';
import { validated } from '#http/validation.js';
import type { Logger } from '#observability/logger.js';
import { KafkaEventConsumer } from '#transport/kafka/kafka-event-consumer.js';
import type { KafkaSettings } from '#transport/kafka/kafka-settings.js';
import type { KafkaTransport } from '#transport/kafka/kafka-transport.js';

export interface EventRecordConsumerOptions {
  readonly acceptor: EventAcceptor;
  /** Takes the records that are no valid events to their topic. */
  readonly transport: KafkaTransport;
  readonly settings: KafkaSettings;
  /** Names the process in the brokers' logs. */
  readonly clientId: string;
  readonly logger: Logger;
}

/** Takes events in from Kafka, to be started and stopped with the process. */
export function eventRecordConsumer(options: EventRecordConsumerOptions): KafkaEventConsumer {
  const { acceptor, transport, settings, clientId, logger } = options;
  const intake = new EventRecordIntake({
    acceptor,
    check: validated,
    reject: (rejected) => transport.rejectEvents(rejected),
    logger,
  });
  return new KafkaEventConsumer({
    settings,
    clientId,
    log: logger,
    handle: (records) => intake.take(records),
  });
}
