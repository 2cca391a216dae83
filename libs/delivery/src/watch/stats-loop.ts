import { SECOND_MS } from '#domain/durations.js';
import { settlesWithin } from '#domain/settles-within.js';
import type { Logger } from '#observability/logger.js';
import type { FleetMetrics } from '#observability/metrics/fleet-metrics.js';
import type { LoopMetrics } from '#observability/metrics/loop-metrics.js';
import type { Database } from '#storage/database.js';
import { PeriodicLoop } from '../periodic-loop.js';
import { FleetReader } from './fleet-reader.js';

export const STATS_INTERVAL_MS = 15 * SECOND_MS;
/**
 * Three percent of a core of the database, for there may be several of these processes. A reading is given up after some
 * five seconds, and the longest rest is well below the age at which its figures are too old.
 */
const REST = { perRound: 32, longestMs: 60 * SECOND_MS };
/** A reading changes nothing: a stop does not wait for a database that is silent. */
const STOP_MS = SECOND_MS;

export interface StatsLoopOptions {
  readonly database: Pick<Database, 'withStatementTimeout'>;
  readonly logger: Logger;
  readonly metrics: { readonly fleet: FleetMetrics; readonly loops: LoopMetrics };
  /** Shorter ones are for tests. */
  readonly intervalMs?: number;
}

/**
 * Reads from the database what no process knows by itself, and exports it. In the processes that take events in or
 * administer, never in the worker alone: the figures must be there when all workers are dead.
 */
export class StatsLoop {
  private readonly loop: PeriodicLoop;

  constructor({ database, logger, metrics, intervalMs = STATS_INTERVAL_MS }: StatsLoopOptions) {
    const reader = new FleetReader(database);
    this.loop = new PeriodicLoop({
      name: 'stats',
      intervalMs,
      rest: REST,
      logger,
      metrics: metrics.loops,
      round: async () => {
        try {
          metrics.fleet.show(await reader.read());
        } catch (error) {
          metrics.fleet.hide();
          throw error;
        }
        return Infinity;
      },
    });
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await settlesWithin(this.loop.stop(), STOP_MS);
  }
}
