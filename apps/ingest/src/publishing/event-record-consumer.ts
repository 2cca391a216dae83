import type { EventAcceptor } from '#delivery/accept/event-acceptor.js';
import { EventRecordIntake } from '#delivery/accept/event-record-intake.js';
import { validated } from '#http/validation.js';
import type { Logger } from '#observability/logger.js';
import type { LoopMeter } from '#observability/metrics/loop-metrics.js';
import type { IngestMetrics } from '#observability/metrics/role-metrics.js';
import { KafkaEventConsumer } from '#transport/kafka/kafka-event-consumer.js';
import type { KafkaSettings } from '#transport/kafka/kafka-settings.js';
import type { KafkaTransport } from '#transport/kafka/kafka-transport.js';
import type { Tracer } from '@opentelemetry/api';

export interface EventRecordConsumerOptions {
  readonly acceptor: EventAcceptor;
  /** Takes the records that are no valid events to their topic. */
  readonly transport: KafkaTransport;
  readonly settings: KafkaSettings;
  /** Names the process in the brokers' logs. */
  readonly clientId: string;
  readonly logger: Logger;
  readonly metrics: Pick<IngestMetrics, 'faults'>;
  /** Absent where nothing is traced. */
  readonly tracer?: Tracer | undefined;
  /** Of the loop that reads for this process. */
  readonly meter: LoopMeter;
}

/** Takes events in from Kafka, to be started and stopped with the process. */
export function eventRecordConsumer(options: EventRecordConsumerOptions): KafkaEventConsumer {
  const { acceptor, transport, settings, clientId, logger } = options;
  const intake = new EventRecordIntake({
    acceptor,
    check: validated,
    reject: (rejected) => transport.rejectEvents(rejected),
    logger,
    metrics: options.metrics,
    tracer: options.tracer,
  });
  return new KafkaEventConsumer({
    settings,
    clientId,
    log: logger,
    handle: (records) => measured(options.meter, () => intake.take(records)),
  });
}

async function measured(meter: LoopMeter, work: () => Promise<void>): Promise<void> {
  const round = meter.begin();
  try {
    await work();
    round.succeeded();
  } catch (error) {
    round.failed();
    throw error;
  }
}
