import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Queryable, Statement } from '#storage/database.js';
import { assertEncryptionKeysKnown } from '#storage/encryption-key-check.js';
import { rotateEncryptionKey } from '#storage/encryption-key-rotation.js';
import { SEALED_COLUMNS } from '#storage/sealed-columns.js';
import { SecretBox } from '#storage/secret-box.js';
import { Platform } from '../support/platform.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { StandaloneProcess } from '../support/standalone-process.js';
import { until } from '../support/until.js';

/** What is kept as bytes and is no secret: bodies, and digests of what is compared only. */
const NOT_SEALED = ['api_keys.digest', 'event_keys.content_hash', 'event_keys.digest', 'events.body'];

let platform: Platform;
let old: SecretBox;
let both: SecretBox;
let fresh: SecretBox;

beforeEach(async () => {
  platform = await Platform.create();
  const key = randomBytes(32);
  old = platform.secretBox;
  both = new SecretBox([key, platform.encryptionKey]);
  fresh = new SecretBox([key]);
});
afterEach(() => platform.destroy());

/** Fills every sealed column, each value naming its place; `pairs` rows of each table. */
async function fill(pairs: number, box = old): Promise<void> {
  const seal = (purpose: 'application-secret' | 'endpoint-credentials', name: string) =>
    Array.from({ length: pairs }, (_, index) =>
      box.seal(purpose, JSON.stringify({ token: `${name}-${index}` })),
    );
  const ids = Array.from({ length: pairs }, (_, index) => `app-${index}`);
  await platform.sql(
    `INSERT INTO applications (id, name, contract, environment, attributes, settings, secret, next_secret)
     SELECT id, id, 'tf-fiscal', 'production', '{}', '{}', s, n FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS t(id, s, n)`,
    [ids, seal('application-secret', 'secret'), seal('application-secret', 'next_secret')],
  );
  await platform.sql(
    `INSERT INTO endpoints (application_id, url, credentials, next_credentials, credential_names)
     SELECT id, 'https://receiver.example/' || id, c, n, '{token}' FROM unnest($1::text[], $2::bytea[], $3::bytea[]) AS t(id, c, n)`,
    [ids, seal('endpoint-credentials', 'credentials'), seal('endpoint-credentials', 'next_credentials')],
  );
}

/** What every sealed column holds, opened. */
async function opened(box: SecretBox): Promise<string[]> {
  const values: string[] = [];
  for (const { table, name, purpose } of SEALED_COLUMNS) {
    const rows = await platform.sql<{ sealed: Buffer }>(
      `SELECT ${name} AS sealed FROM ${table} WHERE ${name} IS NOT NULL ORDER BY id`,
    );
    values.push(...rows.map(({ sealed }) => box.open(purpose, sealed)));
  }
  return values;
}

async function waitingForLocks(): Promise<number> {
  const waiting = await platform.sql(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length;
}

/** The database, with something done by somebody else before each statement of that name. */
function interrupted(name: string, meanwhile: () => Promise<unknown>): Queryable {
  return {
    query: async <Row>(statement: Statement, values: readonly unknown[]) => {
      if (statement.name === name) await meanwhile();
      return platform.database.query<Row>(statement, values);
    },
  };
}

describe('rotating the encryption key', () => {
  it('knows every column that is sealed: each other column of bytes is named as open', async () => {
    const columns = await platform.sql<{ name: string }>(
      `SELECT c.relname || '.' || a.attname AS name
         FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND a.atttypid = 'bytea'::regtype AND a.attnum > 0 ORDER BY 1`,
    );
    const sealed = SEALED_COLUMNS.map(({ table, name }) => `${table}.${name}`);
    expect(columns.map(({ name }) => name)).toEqual([...NOT_SEALED, ...sealed].sort());
  });

  it('brings every secret to the first key, page by page, and changes none', async () => {
    await fill(450);
    const before = await opened(old);
    const progress: number[] = [];
    const result = await rotateEncryptionKey(platform.database, both, ({ resealed }) =>
      progress.push(resealed),
    );
    expect(result).toEqual({ resealed: 1_800, unopened: [], keyUse: new Map([[fresh.keyIds[0], 1_800]]) });
    expect(await opened(fresh)).toEqual(before);
    expect(progress.slice(0, 3)).toEqual([200, 400, 450]);
    expect(await rotateEncryptionKey(platform.database, both)).toMatchObject({ resealed: 0 });
  });

  it('goes on where it was cut off', async () => {
    await fill(250);
    let pages = 0;
    const cut = interrupted('replace-sealed-applications-secret', () =>
      ++pages === 2 ? Promise.reject(new Error('connection lost')) : Promise.resolve(),
    );
    await expect(rotateEncryptionKey(cut, both)).rejects.toThrow('connection lost');
    expect(await rotateEncryptionKey(platform.database, both)).toMatchObject({ resealed: 800, unopened: [] });
    expect(await opened(fresh)).toHaveLength(1_000);
  });

  it('lets a secret stand that is changed meanwhile, and says what is still under an old key', async () => {
    await fill(3);
    const written = [
      both.seal('application-secret', 'changed-0'),
      old.seal('application-secret', 'changed-1'),
    ];
    const statement = 'replace-sealed-applications-secret';
    const change = `UPDATE applications SET secret = $2 WHERE id = $1`;
    const result = await rotateEncryptionKey(
      interrupted(statement, async () => {
        // One is committed before the page is replaced, one while that statement waits for its row.
        await platform.sql(change, ['app-0', written[0]]);
        const other = await platform.database.pool.connect();
        await other.query('BEGIN');
        await other.query(change, ['app-1', written[1]]);
        void until(async () => (await waitingForLocks()) === 1).then(async () => {
          await other.query('COMMIT');
          other.release();
        });
      }),
      both,
    );
    expect((await opened(both)).slice(0, 3)).toEqual(['changed-0', 'changed-1', '{"token":"secret-2"}']);
    expect(result.keyUse).toEqual(
      new Map([
        [both.keyIds[0], 11],
        [both.keyIds[1], 1],
      ]),
    );
  });

  it('names what it cannot open by table, id and key, and rotates the rest', async () => {
    await fill(1);
    const lost = new SecretBox([randomBytes(32)]);
    await platform.sql('UPDATE applications SET secret = $1', [
      lost.seal('application-secret', 'lost-secret'),
    ]);
    const tampered = old.seal('endpoint-credentials', 'changed-by-hand');
    tampered[tampered.length - 1]! ^= 1;
    await platform.sql('UPDATE endpoints SET credentials = $1', [tampered]);
    const { resealed, unopened } = await rotateEncryptionKey(platform.database, both);
    expect(resealed).toBe(2);
    const [endpoint] = await platform.sql<{ id: string }>('SELECT id::text FROM endpoints');
    expect(unopened.map(({ column, id }) => [column.table, column.name, id])).toEqual([
      ['applications', 'secret', 'app-0'],
      ['endpoints', 'credentials', endpoint!.id],
    ]);
    expect(unopened[0]!.reason).toContain(lost.keyIds[0]);
    expect(JSON.stringify(unopened)).not.toMatch(/lost-secret|changed-by-hand/);
  });
});

describe('a process without a key that is in use', () => {
  it('is refused at its start, with the key ids and the cure', async () => {
    await fill(2);
    await expect(assertEncryptionKeysKnown(platform.database, fresh)).rejects.toThrow(
      `8 with key ${old.keyIds[0]}. It lists ${fresh.keyIds[0]}. Add the missing key to the end of the list.`,
    );
    await expect(assertEncryptionKeysKnown(platform.database, both)).resolves.toBeUndefined();
  });

  it('is refused as a worker and as an admin process too', async () => {
    await fill(1);
    const env = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), KAFKA_BROKERS: '127.0.0.1:1' };
    const options = { databaseUrl: platform.testDatabase.url, dataDir: '', env };
    const programs = ['worker/src/main', 'admin/src/main'];
    for (const { exitCode, output } of await Promise.all(
      programs.map((program) => StandaloneProcess.runToEnd(program, options)),
    )) {
      expect(exitCode).toBe(1);
      expect(output).toContain(`4 with key ${old.keyIds[0]}`);
    }
  });

  it('starts where only what nobody asks for any more has that key, and where nothing is migrated yet', async () => {
    await fill(1);
    await platform.sql(`UPDATE endpoints SET state = 'revoked'`);
    await platform.sql('UPDATE applications SET deleted_at = now()');
    await expect(assertEncryptionKeysKnown(platform.database, fresh)).resolves.toBeUndefined();
    await platform.sql('DROP TABLE endpoints, applications CASCADE');
    await expect(assertEncryptionKeysKnown(platform.database, fresh)).resolves.toBeUndefined();
  });

  it('starts after what docs/security.md says of a lost key, with all that has another', async () => {
    await fill(2);
    const kept = [fresh.seal('application-secret', 'kept'), fresh.seal('endpoint-credentials', '{}')];
    await platform.sql(`UPDATE applications SET secret = $1 WHERE id = 'app-1'`, [kept[0]]);
    await platform.sql(`UPDATE endpoints SET credentials = $1 WHERE application_id = 'app-1'`, [kept[1]]);
    const page = await readFile(new URL('../../docs/security.md', import.meta.url), 'utf8');
    const [, cure] = /<!-- lost key -->\s+```sql\n([^`]+)```/.exec(page)!;
    await platform.sql(cure!.replaceAll('1a2b3c4d', old.keyIds[0]!));
    await expect(assertEncryptionKeysKnown(platform.database, fresh)).resolves.toBeUndefined();
    expect(await platform.sql('SELECT application_id, state FROM endpoints ORDER BY 1')).toEqual([
      { application_id: 'app-0', state: 'revoked' },
      { application_id: 'app-1', state: 'active' },
    ]);
    expect(await platform.sql('SELECT id, secret FROM applications ORDER BY id')).toEqual([
      { id: 'app-0', secret: null },
      { id: 'app-1', secret: kept[0] },
    ]);
  });

  it('owes a delivery on, however often it met it, until it has the key', async () => {
    const receiver = await RecordingReceiver.start();
    try {
      await platform.addApplication('acme');
      await platform.addEndpoint('acme', receiver.url);
      await rotateEncryptionKey(platform.database, both);
      await platform.startWorker();
      await platform.publish('acme');
      const failures = () =>
        platform.sql('SELECT state, attempt_count, internal_failures, last_error_code FROM deliveries');
      for (let meeting = 0; meeting < 6; meeting++) {
        await until(async () => (await platform.sql('SELECT FROM deliveries WHERE postponed')).length === 1);
        await platform.sql('UPDATE deliveries SET due_at = now_ms(), postponed = false');
        platform.worker.wakeSweep();
      }
      expect(await failures()).toEqual([
        {
          state: 'pending',
          attempt_count: 0,
          internal_failures: 0,
          last_error_code: 'UNKNOWN_ENCRYPTION_KEY',
        },
      ]);
      await platform.stopWorker();
      platform.worker = platform.newWorker({ secretBox: both });
      await platform.startWorker();
      await platform.sql('UPDATE deliveries SET due_at = now_ms()');
      platform.worker.wakeSweep();
      await until(() => receiver.received.length === 1);
    } finally {
      await receiver.stop();
    }
  });
});
