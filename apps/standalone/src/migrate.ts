import './node-version.js';
import { loadMigrateConfig } from '#config/config.js';
import { ConfigError } from '#config/read-settings.js';
import { applyMigrations } from '#storage/migrate.js';

/** `npm run migrate`: applies what is missing to DATABASE_URL and ends. */
try {
  const migrations = await applyMigrations(loadMigrateConfig().databaseUrl);
  process.stdout.write(migrations.length > 0 ? `Applied ${migrations.join(', ')}.\n` : 'Nothing to apply.\n');
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (!(error instanceof ConfigError)) process.stderr.write('The database was not migrated.\n');
  process.exitCode = 1;
}
