import { ENDPOINT_STATES } from '#domain/endpoint-state.js';
import { lineOfText } from '#http/line-of-text.js';
import { commaList, isoTime, listQuery } from '#http/list-query.js';
import { z } from 'zod';

/** Longer than any contract allows, so that the contract's own rule speaks first. */
const url = z.string().max(8_192);
const eventTypes = z.array(z.string().max(128)).min(1).max(200).nullable();
/** Their form is the contract's matter. */
const credentials = z.record(z.string(), z.unknown());
const description = lineOfText(500).nullable();
const verify = z.boolean();

export const webhookToPut = z.strictObject({
  url,
  credentials: credentials.optional(),
  description: description.optional(),
  verify: verify.optional(),
});

export const endpointToCreate = webhookToPut.extend({ eventTypes: eventTypes.optional() });

export const endpointPatch = endpointToCreate.partial();

export const disabling = z.strictObject({ reason: lineOfText(500).min(1).optional() }).default({});

export const credentialsRotation = z.strictObject({ activateAt: isoTime.optional() }).default({});

const LISTED_STATES = ENDPOINT_STATES.filter((state) => state !== 'revoked');

export const endpointsQuery = listQuery(
  'endpoints',
  { state: commaList(z.enum(ENDPOINT_STATES)).default(LISTED_STATES) },
  z.tuple([z.literal([0, 1]), z.int().positive()]),
);
