import type { DatabaseMetrics } from '#observability/metrics/database-metrics.js';
import { Database, type DatabaseOptions } from '#storage/database.js';
import { databaseNow } from '#storage/sql/database-clock.js';

/** A database whose connections, statements and clock `metrics` tells of. */
export async function connectMeasured(options: DatabaseOptions, metrics: DatabaseMetrics): Promise<Database> {
  const database = await Database.connect({ ...options, onStatement: metrics.statementTook });
  metrics.watch({ pool: () => database.connections, now: () => databaseNow(database) });
  return database;
}
