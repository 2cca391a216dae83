import { Database } from './database.js';
import { PartitionKeeper } from './partition-keeper.js';

/** Applies what is missing and makes the partitions of today and the next days; returns the names applied. */
export async function applyMigrations(databaseUrl: string, now: Date = new Date()): Promise<string[]> {
  const database = await Database.connect({
    url: databaseUrl,
    poolSize: 2,
    applicationName: 'entrega-migrate',
    statementTimeoutMs: 0,
  });
  try {
    await database.assertServerSettings();
    const applied = await database.dataSource.runMigrations();
    await new PartitionKeeper(database).makeAhead(now);
    return applied.map((migration) => migration.name);
  } finally {
    await database.close();
  }
}
