import type { Database } from '#storage/database.js';
import { MIGRATIONS } from '#storage/migrations.js';
import type { ReadinessCheck } from './readiness.js';

/** That the database answers, and that every migration of this version is applied to it. */
export function databaseChecks(database: Database): readonly ReadinessCheck[] {
  return [
    {
      name: 'database',
      run: async () => {
        await database.query({ name: 'health-database', text: 'SELECT 1' }, []);
      },
    },
    {
      name: 'schema',
      run: async () => {
        const rows = await database.query<{ name: string }>(
          { name: 'health-schema', text: 'SELECT name FROM migrations' },
          [],
        );
        const applied = new Set(rows.map(({ name }) => name));
        const missing = MIGRATIONS.filter((migration) => !applied.has(migration.name)).map(
          ({ name }) => name,
        );
        if (missing.length > 0) throw new Error(`Migrations are missing: ${missing.join(', ')}.`);
      },
    },
  ];
}
