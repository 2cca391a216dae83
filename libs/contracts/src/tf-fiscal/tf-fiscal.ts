import { HOUR_MS, SECOND_MS } from '#domain/durations.js';
import { z } from 'zod';
import type { BuildResult, Contract, PublishedEvent } from '../contract.js';
import { waits } from '../delivery-policy.js';
import { ProblemList } from '../problem-list.js';
import { findEventType, readDataObject } from '../published-data.js';
import { applicationSecretSchema, credentialsSchema, generateApplicationSecret } from './credentials.js';
import { HEADER_NAMES, deliveryHeaders } from './delivery-headers.js';
import { buildEnvelope, buildEnvelopeData } from './envelope.js';
import { EVENT_TYPES } from './event-types.js';
import { RESULTS } from './result-fields.js';
import { buildResultObject } from './result-object.js';

/** The webhooks of TF Fiscal: results of fiscal documents and verification verdicts, one callback per application. */
export const tfFiscal: Contract = {
  name: 'tf-fiscal',
  title: 'TF Fiscal: results of NF-e, CT-e and DC-e, and NF-e verification verdicts',
  eventTypes: EVENT_TYPES,
  eventIdentity: 'producer',

  application: {
    attributes: z.strictObject({}),
    secret: { schema: applicationSecretSchema, generate: generateApplicationSecret },
  },
  endpoint: {
    hasWebhook: true,
    eventTypes: 'any-or-filter',
    credentials: credentialsSchema,
    credentialNames: ['token'],
    issuedCredentialNames: [],
    issueCredentials: (supplied) => ({ credentials: supplied, issued: {} }),
  },
  url: { schemes: ['http', 'https'], maxLength: 500, used: 'current' },

  policy: {
    waits: waits('1m', '5m', '30m', '2h', '6h'),
    timeoutMs: 10 * SECOND_MS,
    firstAttemptDelayMs: 0,
    breakerThreshold: 10,
    respectRetryAfter: false,
    retryAfterCapMs: HOUR_MS,
    concurrencyPerWorker: 10,
    sendTraceparent: false,
    exhausted: 'dead',
    redelivery: 'full-cycle',
  },

  testEvent: {
    type: 'webhook.verify',
    build: (publicId, at) => Buffer.from(buildEnvelope('webhook.verify', publicId, at, '{}')),
  },
  buildEvent,
  headerNames: HEADER_NAMES,
  headers: deliveryHeaders,
};

/** The one body of an event, which is stored, hashed and sent on every attempt (TF-21). */
function buildEvent(published: PublishedEvent): BuildResult {
  const { type, publicId } = published;
  if (publicId === null) throw new Error('tf-fiscal events are named by the producer; publicId is null.');
  const problems = new ProblemList();
  const occurredAt = published.occurredAt ?? published.acceptedAt;

  const eventType = findEventType(tfFiscal, type, problems);
  if (!eventType) return { ok: false, problems: problems.toArray() };

  const data = readDataObject(published.dataJson, problems);
  let body = '';
  if (data) {
    body = RESULTS.has(type)
      ? buildResultObject(type, data, problems)
      : buildEnvelope(type, publicId, occurredAt, buildEnvelopeData(type, data, problems));
  }
  if (!problems.isEmpty) return { ok: false, problems: problems.toArray() };
  return { ok: true, event: { publicId, occurredAt, body: Buffer.from(body), reserved: eventType.reserved } };
}
