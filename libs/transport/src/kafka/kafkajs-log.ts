import { type LogEntry, logLevel } from 'kafkajs';
import type { TransportLog } from './kafka-settings.js';

/** The same complaint again within this says nothing new. */
const SAME_MESSAGE_MS = 60_000;
const MAX_MESSAGES_REMEMBERED = 100;

/** Speaks of offsets that are gone and of topics that should not be there, which nobody else notices. */
const OF_INTEREST = 'ConsumerGroup';

/**
 * What kafkajs says, in our log: the complaints that nobody else makes, once a minute each, and the rest for those
 * who debug. Every broken connection is reported by several of its parts with every attempt; what that means is
 * said by the supervisor, once.
 */
export class KafkajsLog {
  private readonly saidAt = new Map<string, number>();

  constructor(private readonly log: TransportLog) {}

  /** @param idle whether the client has been given up, so that its complaints are of no interest */
  write({ level, namespace, log: said }: LogEntry, idle: boolean): void {
    const { message, error, groupId, broker, topic, partition } = said;
    const fields = { kafkajs: namespace, message, error, groupId, broker, topic, partition };
    const complains = namespace === OF_INTEREST && level <= logLevel.WARN;
    if (idle || !complains || !this.isNews(message)) this.log.debug(fields, 'kafka.client');
    else this.log.warn(fields, 'kafka.client');
  }

  private isNews(message: string): boolean {
    const now = performance.now();
    const known = this.saidAt.get(message);
    if (known !== undefined && now - known < SAME_MESSAGE_MS) return false;
    if (this.saidAt.size >= MAX_MESSAGES_REMEMBERED) this.saidAt.clear();
    this.saidAt.set(message, now);
    return true;
  }
}
