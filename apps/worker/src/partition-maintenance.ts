import type { Clock } from '#domain/clock.js';
import { HOUR_MS } from '#domain/durations.js';
import type { Logger } from '#observability/logger.js';
import type { PartitionKeeper } from '#storage/partition-keeper.js';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

export interface PartitionMaintenanceOptions {
  readonly keeper: PartitionKeeper;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly retentionDays: number;
}

/**
 * Makes partitions ahead and drops those past retention, at the start and each hour. Days are made well ahead,
 * so an hour that fails is made up for by the next.
 */
export class PartitionMaintenance implements OnApplicationBootstrap {
  private running: Promise<void> | undefined;

  constructor(private readonly options: PartitionMaintenanceOptions) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.maintain();
  }

  @Interval(HOUR_MS)
  async maintain(): Promise<void> {
    this.running ??= this.round().finally(() => (this.running = undefined));
    await this.running;
  }

  private async round(): Promise<void> {
    const { keeper, clock, logger, retentionDays } = this.options;
    try {
      const now = new Date(clock.nowMs());
      const made = await keeper.makeAhead(now);
      if (made.length > 0) logger.info({ partitions: made }, 'partitions.made');
      const { dropped, kept } = await keeper.dropExpired(now, retentionDays);
      if (dropped.length > 0) logger.info({ partitions: dropped }, 'partitions.dropped');
      if (kept.length > 0) logger.warn({ partitions: kept }, 'partitions.kept-for-pending');
    } catch (error) {
      logger.error({ err: error }, 'partitions.failed');
    }
  }
}
