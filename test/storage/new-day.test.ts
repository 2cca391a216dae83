import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MINUTE_MS } from '#domain/durations.js';
import { firstIdAt } from '#domain/time-ordered-id.js';
import { Database } from '#storage/database.js';
import { takeDueDeliveries } from '#storage/sql/due-deliveries.js';
import { PlanRecorder } from '../support/plan-recorder.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const ENDPOINTS = 200;
const WAITING_OF_EACH = 100;
const ROOM = 5;

let testDatabase: TestDatabase;
let database: Database;
let endpointIds: number[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await Database.connect({ url: testDatabase.url, poolSize: 2, applicationName: 'test' });
  const { pool } = database;
  // Nobody analyses the day: the planner takes it for nearly empty, as it does until a minute after midnight.
  const { rows: days } = await pool.query<{ name: string }>(
    `SELECT inhrelid::regclass AS name FROM pg_inherits WHERE inhparent = 'deliveries'::regclass`,
  );
  for (const { name } of days) await pool.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
  await pool.query(
    `INSERT INTO applications (id, name, contract, environment, attributes, settings)
     VALUES ('acme', 'acme', 'tf-fiscal', 'production', '{}', '{}')`,
  );
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO endpoints (application_id, url, credentials, credential_names)
     SELECT 'acme', 'http://127.0.0.1:9/' || n, '', '{}' FROM generate_series(1, ${ENDPOINTS}) AS n RETURNING id`,
  );
  endpointIds = rows.map(({ id }) => id);
  await pool.query(
    `INSERT INTO deliveries (event_id, application_id, endpoint_id, type, state, scheduled_at, due_at)
     SELECT 1, 'acme', id, 'x', 'pending', now_ms(), now_ms()
       FROM unnest($1::bigint[]) AS id, generate_series(1, ${WAITING_OF_EACH})`,
    [endpointIds],
  );
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

it('a backlog on a day that was never analysed costs what is taken of it, not what waits', async () => {
  const recorder = new PlanRecorder(database);
  const now = Date.now();
  const fromId = firstIdAt(new Date(now - MINUTE_MS));
  const rooms = endpointIds.map((endpointId) => ({ endpointId, room: ROOM, fromId }));
  const taken = await takeDueDeliveries(recorder, rooms, firstIdAt(new Date(now + MINUTE_MS)), 60_000);
  expect(taken).toHaveLength(ENDPOINTS * ROOM);
  const [plan] = recorder.plans;
  // Once to pick, once to change; an index entry and a row each, and the endpoint.
  expect(plan!.read).toBeLessThanOrEqual(3 * taken.length + 2 * ENDPOINTS);
  expect(plan!.sorted).toBe(0);
});
