import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds the indexes that keep every list page short however many rows there are, replaces two that the new ones
 * cover, and turns the key of `event_keys` round, so that an event id alone finds its events. The previous version
 * keeps working beside it: what it read by `deliveries_suppressed` and `deliveries_canceled` it finds by
 * `deliveries_endpoint`, more slowly.
 *
 * Goes up outside a transaction: each partition's index is built concurrently, so that nothing written waits for it
 * (3.5 s for each million deliveries). What was cut off is finished by the next start. It goes down in one transaction,
 * behind which deliveries wait.
 */
export class ListIndexes1764720000000 implements MigrationInterface {
  readonly name = 'ListIndexes1764720000000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const index of ADDED) await createIndex(queryRunner, index);
    for (const { name } of REPLACED) await queryRunner.query(`DROP INDEX IF EXISTS ${name}`);
    await turnEventKeys(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { name, table, definition } of REPLACED)
      await queryRunner.query(`CREATE INDEX IF NOT EXISTS ${name} ON ${table} ${definition}`);
    for (const { name } of ADDED) await queryRunner.query(`DROP INDEX IF EXISTS ${name}`);
    await queryRunner.query(`
      ALTER TABLE event_keys DROP CONSTRAINT event_keys_pkey, ADD PRIMARY KEY (application_id, digest)`);
  }
}

interface PartitionedIndex {
  readonly name: string;
  readonly table: string;
  readonly definition: string;
}

const DEAD = `WHERE state IN ('dead', 'closed')`;
const RARE = `WHERE state IN ('dead', 'closed', 'suppressed', 'canceled')`;

const ADDED: readonly PartitionedIndex[] = [
  // Neither pending nor delivered: a few of a hundred, and what people look for.
  { name: 'deliveries_rare', table: 'deliveries', definition: `(state, id) ${RARE}` },
  { name: 'deliveries_endpoint_rare', table: 'deliveries', definition: `(endpoint_id, state, id) ${RARE}` },
  {
    name: 'deliveries_application_rare',
    table: 'deliveries',
    definition: `(application_id, state, id) ${RARE}`,
  },
  {
    name: 'deliveries_endpoint_dead',
    table: 'deliveries',
    definition: `(endpoint_id, finished_at, id) ${DEAD}`,
  },
  {
    name: 'deliveries_application_dead',
    table: 'deliveries',
    definition: `(application_id, finished_at, id) ${DEAD}`,
  },
  // A minute's row is changed with each batch; whether it has a failure changes once at most.
  {
    name: 'endpoint_minutes_failed',
    table: 'endpoint_minutes',
    definition: '(endpoint_id, minute) WHERE last_failure_at IS NOT NULL',
  },
];

const REPLACED: readonly PartitionedIndex[] = [
  {
    name: 'deliveries_suppressed',
    table: 'deliveries',
    definition: `(endpoint_id, id) WHERE state = 'suppressed'`,
  },
  {
    name: 'deliveries_canceled',
    table: 'deliveries',
    definition: `(endpoint_id, id) WHERE state = 'canceled'`,
  },
];

/** Partition by partition; valid as soon as every part is attached. */
async function createIndex(
  queryRunner: QueryRunner,
  { name, table, definition }: PartitionedIndex,
): Promise<void> {
  await queryRunner.query(`CREATE INDEX IF NOT EXISTS ${name} ON ONLY ${table} ${definition}`);
  const partitions = (await queryRunner.query(
    `SELECT i.inhrelid::regclass::text AS partition,
            (SELECT x.indisvalid FROM pg_index x
              WHERE x.indexrelid = to_regclass(i.inhrelid::regclass || '_${name}')) AS valid
       FROM pg_inherits i
      WHERE i.inhparent = '${table}'::regclass AND NOT i.inhdetachpending
        AND NOT EXISTS (SELECT FROM pg_index x JOIN pg_inherits part ON part.inhrelid = x.indexrelid
                         WHERE x.indrelid = i.inhrelid AND part.inhparent = '${name}'::regclass)
      ORDER BY 1`,
  )) as { partition: string; valid: boolean | null }[];
  for (const { partition, valid } of partitions) {
    const part = `${partition}_${name}`;
    if (valid === false) await queryRunner.query(`DROP INDEX ${part}`);
    await queryRunner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${part} ON ${partition} ${definition}`);
    await queryRunner.query(`ALTER INDEX ${name} ATTACH PARTITION ${part}`);
  }
}

/** The new index takes the place of the old one in one step: at no time may a key be inserted twice. */
async function turnEventKeys(queryRunner: QueryRunner): Promise<void> {
  const [present] = (await queryRunner.query(
    `SELECT pg_get_constraintdef(oid) AS key FROM pg_constraint WHERE conname = 'event_keys_pkey'`,
  )) as { key: string }[];
  if (present?.key === 'PRIMARY KEY (digest, application_id)') return;
  await queryRunner.query('DROP INDEX IF EXISTS event_keys_turned');
  await queryRunner.query(
    'CREATE UNIQUE INDEX CONCURRENTLY event_keys_turned ON event_keys (digest, application_id)',
  );
  await queryRunner.query(`
    ALTER TABLE event_keys
      DROP CONSTRAINT event_keys_pkey,
      ADD CONSTRAINT event_keys_pkey PRIMARY KEY USING INDEX event_keys_turned`);
}
