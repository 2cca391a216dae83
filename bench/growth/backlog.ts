import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { memoryMiBOf } from '../measure/memory.js';
import type { DatabasePlatform } from '../processes/database-platform.js';
import { registerApplications } from '../rounds/bench-applications.js';
import { BODY_SIZES, deliveredBody } from '../rounds/event-bodies.js';
import { takeAwayWaiting, writeWaiting } from '../waiting/waiting-deliveries.js';

const BACKLOG = 1_000_000;
const SPREAD = 5_000;
const WATCH_MS = 20_000;
const LOOK_MS = 250;
/** So slow that the backlog outlasts the look. */
const ANSWER_MS = 50;

/** The most memory of the product's process with so many deliveries waiting, for one endpoint and for thousands. */
export async function measureBacklog(platform: DatabasePlatform): Promise<{
  waiting: number;
  before: number;
  oneEndpoint: number;
  manyEndpoints: number;
}> {
  const receiver = createServer((request, response) => {
    request.resume().once('end', () => setTimeout(() => response.end(), ANSWER_MS));
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  try {
    const { port } = receiver.address() as AddressInfo;
    const [one] = await registerApplications(platform, 'backlog', [`http://127.0.0.1:${port}`]);
    const copies = await platform.database.pool.query<{ id: string }>(COPY_APPLICATIONS, [one, SPREAD]);
    await platform.database.pool.query(COPY_ENDPOINTS, [one]);
    const before = memoryMiBOf(platform.trees['standalone']!);
    const oneEndpoint = await mostMemory(platform, [one!]);
    const manyEndpoints = await mostMemory(
      platform,
      copies.rows.map(({ id }) => id),
    );
    return { waiting: BACKLOG, before, oneEndpoint, manyEndpoints };
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}

/** @param applications who has the backlog */
async function mostMemory(
  { database, trees }: DatabasePlatform,
  applications: readonly string[],
): Promise<number> {
  const body = deliveredBody(BODY_SIZES.small);
  await writeWaiting(database, { deliveries: BACKLOG, applications, body });
  let most = 0;
  for (const endAt = performance.now() + WATCH_MS; performance.now() < endAt; await sleep(LOOK_MS))
    most = Math.max(most, memoryMiBOf(trees['standalone']!));
  await takeAwayWaiting(database);
  return most;
}

const COPY_APPLICATIONS = `
INSERT INTO applications (id, name, contract, environment, attributes, settings, secret)
SELECT id || '-' || n, name, contract, environment, attributes, settings, secret
  FROM applications, generate_series(1, $2::int) AS n WHERE id = $1
RETURNING id`;

const COPY_ENDPOINTS = `
INSERT INTO endpoints (application_id, url, is_webhook, credentials, credential_names)
SELECT a.id, e.url, true, e.credentials, e.credential_names
  FROM endpoints e JOIN applications a ON a.id LIKE e.application_id || '-%' WHERE e.application_id = $1`;
