import { type AttemptResult, recordAttemptResults } from '#storage/sql/attempt-results.js';
import type { Queryable } from '#storage/database.js';
import type { Platform } from './platform.js';

/** Publishes an event of an application with one endpoint, of which no worker knows; returns its delivery. */
export async function addDelivery(platform: Platform, application: string): Promise<Held> {
  const { id } = await platform.publish(application);
  const [row] = await platform.sql<Held>(
    `SELECT d.id AS "deliveryId", d.endpoint_id AS "endpointId", extract(epoch FROM d.due_at)::float8 * 1000 AS token
       FROM deliveries d JOIN events v ON v.id = d.event_id WHERE v.public_id = $1`,
    [id],
  );
  return { ...row!, token: Math.round(row!.token) };
}

type Held = Pick<AttemptResult, 'deliveryId' | 'endpointId' | 'token'>;

/** Writes an attempt as a worker would, on whichever connection. */
export async function writeAttempt(
  connection: Queryable,
  held: Held,
  fields: Partial<AttemptResult> = {},
): Promise<void> {
  const success: AttemptResult = {
    ...held,
    endpointEpoch: 1,
    number: 1,
    cycle: 1,
    trigger: 'first',
    publicId: 'x',
    url: 'http://127.0.0.1:9/',
    remoteAddress: '127.0.0.1',
    outcome: 'success',
    httpStatus: 200,
    errorCode: null,
    errorMessage: null,
    responseSummary: '',
    requestHeaders: '',
    responseHeaders: '',
    retryAfterSeconds: null,
    durationMs: 5,
    ageMs: 0,
    retryInMs: null,
    exhausted: 'dead',
    breakerThreshold: 0,
    countsForBreaker: true,
  };
  await recordAttemptResults(connection, [{ ...success, ...fields }]);
}
