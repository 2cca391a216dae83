import { DAY_MS } from '#domain/durations.js';
import { firstIdAt } from '#domain/time-ordered-id.js';
import type { Database } from '#storage/database.js';
import { PartitionKeeper } from '#storage/partition-keeper.js';

/** Days of history, today among them: as many as retention keeps. */
export const HISTORY_DAYS = 30;

export interface History {
  readonly deliveries: number;
  /** A fifth of them belongs to one application, one takes a fifth of the traffic, and the rest have one each. */
  readonly endpoints: number;
  /** Of each endpoint, sealed with a key that the product has: it starts on no others. */
  readonly credentials: Buffer;
  readonly now: Date;
}

export const BUSY_APPLICATION = 'busy';
export const CROWDED_APPLICATION = 'crowded';
export const QUIET_APPLICATION = 'quiet-2';
export const RARE_TYPE = 'cte.event.registered';

/**
 * Rows as a month of operation leaves them, made by SQL: events with a body of 0.4 KB, their keys, one delivery
 * each, of which 2 % are dead after six attempts and 1 % were suppressed, attempts, and the minutes' figures. Of
 * 10,000 events one has {@link RARE_TYPE}.
 *
 * @param say told of every day written
 */
export async function writeHistory(
  database: Database,
  history: History,
  say: (line: string) => void = () => undefined,
): Promise<void> {
  const keeper = new PartitionKeeper(database);
  const days = Array.from(
    { length: HISTORY_DAYS },
    (_, back) => new Date(history.now.getTime() - back * DAY_MS),
  );
  for (const day of days) await keeper.makeAhead(day);
  await database.pool.query(APPLICATIONS, [history.endpoints]);
  await database.pool.query(ENDPOINTS, [history.endpoints, history.credentials]);
  // The index of the keys is in the order of digests: kept up row by row it would cost more than all the rest.
  const { rows: keys } = await database.pool.query<{ definition: string }>(
    `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = 'event_keys_pkey'`,
  );
  await database.pool.query('ALTER TABLE event_keys DROP CONSTRAINT event_keys_pkey');
  const perDay = Math.ceil(history.deliveries / HISTORY_DAYS);
  const waiting = days.entries();
  const writeDays = () =>
    database.withClient(async (client) => {
      await client.query('SET statement_timeout = 0');
      for (const [back, day] of waiting) {
        const from = Math.floor(day.getTime() / DAY_MS) * DAY_MS;
        const lengthMs = Math.min(DAY_MS, history.now.getTime() - from);
        const step = Math.floor((lengthMs / perDay) * 4096);
        const values = [back * perDay, perDay, firstIdAt(new Date(from)), step, history.endpoints];
        for (const text of ROWS_OF_A_DAY) await client.query(text, values);
        say(`day ${back + 1} of ${HISTORY_DAYS} is written`);
      }
      await client.query('RESET statement_timeout');
    });
  await Promise.all([writeDays(), writeDays()]);
  await database.withClient(async (client) => {
    await client.query('SET statement_timeout = 0');
    await client.query(`SET maintenance_work_mem = '1GB'`);
    await client.query(`ALTER TABLE event_keys ADD CONSTRAINT event_keys_pkey ${keys[0]!.definition}`);
    // Days ahead are left as the keeper makes them: the server would take note that they are empty.
    const { rows } = await client.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits
        WHERE inhparent::regclass::text = ANY ($1) AND right(inhrelid::regclass::text, 8) <= $2`,
      [PARTITIONED, history.now.toISOString().slice(0, 10).replaceAll('-', '')],
    );
    const written = ['event_keys', 'endpoints', ...rows.map(({ name }) => name)];
    await client.query(`VACUUM (ANALYZE) ${written.join(', ')}`);
    await client.query('RESET ALL');
  });
}

/** The application of the endpoint with that number. */
const APPLICATION_OF = (n: string) => `CASE WHEN ${n} = 1 THEN '${BUSY_APPLICATION}'
  WHEN ${n} <= 1 + $1::int / 5 THEN '${CROWDED_APPLICATION}' ELSE 'quiet-' || (${n} - $1::int / 5) END`;

const PARTITIONED = ['events', 'deliveries', 'attempts', 'endpoint_minutes'];

const APPLICATIONS = `
INSERT INTO applications (id, name, contract, environment, attributes, settings)
SELECT DISTINCT ${APPLICATION_OF('n')}, 'growth', 'tf-fiscal', 'production', '{}'::jsonb, '{}'::jsonb
  FROM generate_series(1, $1::int) AS n`;

const ENDPOINTS = `
INSERT INTO endpoints (id, application_id, url, credentials, credential_names)
SELECT n, ${APPLICATION_OF('n')}, 'http://127.0.0.1:9/' || n, $2, '{token}' FROM generate_series(1, $1::int) AS n`;

/** A number in [0, 1) that follows from `n`. */
const DRAW = (salt: number) => `((hashint8extended(row.n, ${salt}) & 1048575) / 1048576.0)`;

/** Every table draws the same rows from their numbers. `$1` first number, `$2` rows, `$3` first id, `$4` step, `$5` endpoints. */
const ROW = `
  SELECT row.n, row.event_id, row.event_id + 4096 * 20 AS delivery_id, e.id AS endpoint_id, e.application_id,
         to_timestamp((row.event_id / 4096 + 1735689600000) / 1000.0) AS accepted_at,
         CASE WHEN ${DRAW(1)} < 0.02 THEN 'dead' WHEN ${DRAW(1)} < 0.03 THEN 'suppressed' ELSE 'delivered' END AS state,
         CASE WHEN ${DRAW(2)} < 0.0001 THEN '${RARE_TYPE}' WHEN ${DRAW(2)} < 0.7 THEN 'cte.authorized'
              WHEN ${DRAW(2)} < 0.9 THEN 'cte.rejected' ELSE 'cte.canceled' END AS type
    FROM (SELECT $1::bigint + i AS n, $3::bigint + i * $4::bigint AS event_id
            FROM generate_series(0, $2::bigint - 1) AS i) AS row
    JOIN endpoints e ON e.id = CASE WHEN ${DRAW(3)} < 0.2 THEN 1 ELSE 2 + floor(${DRAW(4)} ^ 2 * ($5::int - 1)) END`;

const ROWS_OF_A_DAY = [
  `INSERT INTO events (id, application_id, public_id, type, occurred_at, body)
   SELECT event_id, application_id, 'growth-' || n, type, accepted_at,
          convert_to(rpad(format('{"event":"%s","sequence":%s,"filler":"', type, n), 398, md5(n::text)) || '"}', 'UTF8')
     FROM (${ROW}) AS row`,
  `INSERT INTO event_keys (application_id, digest, content_hash, event_id, delivery_count, suppressed_count)
   SELECT application_id, substring(sha256(convert_to('growth-' || n, 'UTF8')) FROM 1 FOR 16),
          substring(sha256(int8send(n)) FROM 1 FOR 16), event_id, (state <> 'suppressed')::int, (state = 'suppressed')::int
     FROM (${ROW}) AS row`,
  `INSERT INTO deliveries (id, event_id, application_id, endpoint_id, type, state, attempt_count, next_trigger,
                           delivered_at, finished_at, last_http_status)
   SELECT delivery_id, event_id, application_id, endpoint_id, type, state,
          CASE state WHEN 'dead' THEN 6 WHEN 'delivered' THEN 1 ELSE 0 END, 'retry',
          CASE WHEN state = 'delivered' THEN accepted_at END,
          CASE state WHEN 'dead' THEN accepted_at + interval '31000 s' WHEN 'delivered' THEN accepted_at END,
          CASE state WHEN 'dead' THEN 503 WHEN 'delivered' THEN 200 END
     FROM (${ROW}) AS row`,
  `INSERT INTO attempts (delivery_id, id, number, cycle, superseded, trigger, started_at, duration_ms, url, remote_address,
                         outcome, http_status, response_summary)
   SELECT delivery_id, delivery_id + 4096 * number, number, 1, false, CASE number WHEN 1 THEN 'first' ELSE 'retry' END,
          accepted_at, 12, 'http://127.0.0.1:9/' || endpoint_id, '127.0.0.1',
          CASE state WHEN 'dead' THEN 'http_5xx' ELSE 'success' END, CASE state WHEN 'dead' THEN 503 ELSE 200 END, 'ok'
     FROM (${ROW}) AS row
    CROSS JOIN LATERAL generate_series(1, CASE state WHEN 'dead' THEN 6 WHEN 'delivered' THEN 1 ELSE 0 END) AS number`,
  `INSERT INTO endpoint_minutes (endpoint_id, minute, succeeded, failed, duration_ms_sum, last_success_at, last_failure_at)
   SELECT endpoint_id, date_trunc('minute', accepted_at), count(*) FILTER (WHERE state = 'delivered'),
          count(*) FILTER (WHERE state = 'dead'), 12 * count(*), max(accepted_at) FILTER (WHERE state = 'delivered'),
          max(accepted_at) FILTER (WHERE state = 'dead')
     FROM (${ROW}) AS row WHERE state <> 'suppressed' GROUP BY 1, 2`,
];
