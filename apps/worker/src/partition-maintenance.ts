import type { Clock } from '#domain/clock.js';
import { DAY_MS, HOUR_MS } from '#domain/durations.js';
import type { Logger } from '#observability/logger.js';
import type { LoopMeter, LoopMetrics } from '#observability/metrics/loop-metrics.js';
import type { Queryable } from '#storage/database.js';
import type { PartitionKeeper } from '#storage/partition-keeper.js';
import { trimRejections } from '#storage/sql/rejections.js';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';

export interface PartitionMaintenanceOptions {
  readonly database: Queryable;
  readonly keeper: PartitionKeeper;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: LoopMetrics;
  readonly retentionDays: number;
}

/** How long rejections are listed at most; a retention that is shorter holds for them too. */
const REJECTION_DAYS = 7;

/**
 * Makes partitions ahead, drops those past retention and trims the rejections, at the start and each hour. Days
 * are made well ahead, so an hour that fails is made up for by the next. The start waits for the partitions that
 * it needs and for nothing else.
 */
export class PartitionMaintenance implements OnApplicationBootstrap, OnApplicationShutdown {
  private running: Promise<void> | undefined;
  private readonly partitions: LoopMeter;
  private readonly retention: LoopMeter;

  constructor(private readonly options: PartitionMaintenanceOptions) {
    this.partitions = options.metrics.meter('partitions', HOUR_MS);
    this.retention = options.metrics.meter('retention', HOUR_MS);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.keepAhead();
    void this.maintain();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.running;
  }

  @Interval(HOUR_MS)
  async maintain(): Promise<void> {
    this.running ??= this.round().finally(() => (this.running = undefined));
    await this.running;
  }

  private async round(): Promise<void> {
    await this.keepAhead();
    const round = this.retention.begin();
    const dropped = await this.step('partitions.not-dropped', () => this.dropExpired());
    const trimmed = await this.step('rejections.not-trimmed', () => this.trimRejections());
    if (dropped && trimmed) round.succeeded();
    else round.failed();
  }

  private async keepAhead(): Promise<void> {
    const round = this.partitions.begin();
    if (await this.step('partitions.not-made', () => this.makeAhead())) round.succeeded();
    else round.failed();
  }

  /** Whether it succeeded. A step that fails does not keep the others from being taken. */
  private async step(failure: string, take: () => Promise<void>): Promise<boolean> {
    try {
      await take();
      return true;
    } catch (error) {
      this.options.logger.error({ err: error }, failure);
      return false;
    }
  }

  private async makeAhead(): Promise<void> {
    const { keeper, logger } = this.options;
    const made = await keeper.makeAhead(this.now());
    if (made.length > 0) logger.info({ partitions: made }, 'partitions.made');
  }

  private async dropExpired(): Promise<void> {
    const { keeper, logger, retentionDays } = this.options;
    const { dropped, kept } = await keeper.dropExpired(this.now(), retentionDays);
    if (dropped.length > 0) logger.info({ partitions: dropped }, 'partitions.dropped');
    if (kept.length > 0) logger.warn({ partitions: kept }, 'partitions.kept-for-pending');
  }

  private async trimRejections(): Promise<void> {
    const days = Math.min(REJECTION_DAYS, this.options.retentionDays);
    await trimRejections(this.options.database, new Date(this.now().getTime() - days * DAY_MS));
  }

  private now(): Date {
    return new Date(this.options.clock.nowMs());
  }
}
