import { HOUR_MS, SECOND_MS } from '#domain/durations.js';
import type { BuildResult, Contract, EventType, PublishedEvent } from '../contract.js';
import { waits } from '../delivery-policy.js';
import { ProblemList } from '../problem-list.js';
import { findEventType, readDataObject } from '../published-data.js';
import { credentialsSchema, issueCredentials } from './credentials.js';
import { HEADER_NAMES, deliveryHeaders } from './delivery-headers.js';
import {
  STATUS_CHANGED,
  STATUS_FIELDS,
  attributesSchema,
  readStatusChange,
  statusEventBody,
  statusEventId,
} from './status-event.js';
import { urlWarnings } from './url-warnings.js';

const EVENT_TYPES: readonly EventType[] = [
  {
    name: STATUS_CHANGED,
    reserved: false,
    description: "The status code of one of the service center's services changed.",
    fields: STATUS_FIELDS,
  },
];

/** The webhooks of Cortecloud: status changes of services, one application per service center and environment. */
export const cortecloud: Contract = {
  name: 'cortecloud',
  title: 'Cortecloud: status changes of the services of a service center',
  eventTypes: EVENT_TYPES,
  eventIdentity: 'derived',

  application: { attributes: attributesSchema, secret: null },
  endpoint: {
    hasWebhook: false,
    eventTypes: 'exactly-one',
    credentials: credentialsSchema,
    credentialNames: ['apiKey', 'secret', 'ownKey'],
    issuedCredentialNames: ['apiKey', 'secret'],
    issueCredentials,
  },
  url: { schemes: ['https'], maxLength: null, used: 'as-queued', warnings: urlWarnings },

  policy: {
    waits: waits('15s..30s', '30s..60s', '1m..2m', '2m..4m', '4m..8m'),
    timeoutMs: 10 * SECOND_MS,
    firstAttemptDelayMs: 30 * SECOND_MS,
    breakerThreshold: 0,
    respectRetryAfter: true,
    retryAfterCapMs: HOUR_MS,
    concurrencyPerWorker: 5,
    sendTraceparent: false,
    exhausted: 'closed',
    redelivery: 'single-attempt',
  },

  testEvent: null,
  buildEvent,
  headerNames: HEADER_NAMES,
  headers: deliveryHeaders,
};

/** The one body of an event, the same for every destination and attempt (CC-21, CC-22). */
function buildEvent({ application, type, publicId, occurredAt, dataJson }: PublishedEvent): BuildResult {
  if (publicId !== null) throw new Error(`cortecloud derives event ids; publicId is "${publicId}".`);
  const problems = new ProblemList();
  if (!findEventType(cortecloud, type, problems)) return { ok: false, problems: problems.toArray() };

  if (occurredAt === null) {
    const message =
      'occurredAt is missing, and the event id is derived from it. Send when the change happened.';
    problems.add('/occurredAt', 'REQUIRED', message);
  }
  const data = readDataObject(dataJson, problems);
  const change = data && readStatusChange(data, problems);
  if (!problems.isEmpty || !change || !occurredAt) return { ok: false, problems: problems.toArray() };

  const center = attributesSchema.parse(application.attributes);
  const id = statusEventId(application.environment, center, change, occurredAt);
  const body = Buffer.from(statusEventBody(id, center, change, occurredAt));
  return { ok: true, event: { publicId: id, occurredAt, body, reserved: false } };
}
