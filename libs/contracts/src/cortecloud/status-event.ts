import { createHash } from 'node:crypto';
import { SECOND_MS } from '#domain/durations.js';
import { type JsonObject, childPointer, memberValue } from '#domain/json-source.js';
import { z } from 'zod';
import type { EventField } from '../contract.js';
import { type ProblemList, excerpt, shown } from '../problem-list.js';

/** The only event type (CC-20). */
export const STATUS_CHANGED = 'service.status_changed';

/** The version of the body format. */
const SPEC_VERSION = '1';

/** The service center that an application stands for: in every body, and part of every event id (CC-01). */
export const attributesSchema = z.strictObject({
  companyId: z
    .int({ error: 'companyId is the number of the service center: a whole one, exact in a double.' })
    .describe('Numeric identifier of the service center.'),
  companyInternalCode: z
    .string({ error: 'companyInternalCode is text: the code of the service center.' })
    // Receivers send it as a header of their own calls, so it has no control characters.
    .regex(/^[^\p{Cc}\p{Cs}]{1,255}$/u, {
      error: 'companyInternalCode is 1 to 255 characters, control characters not among them.',
    })
    .describe('Code of the service center, as integrations send it in x-company-internal-code.'),
});

export type ServiceCenter = z.infer<typeof attributesSchema>;

const INTEGER_FORM = 'a whole number in digits, at most 9007199254740991 either way';

/** The members of `data` in sending order (CC-21). */
export const STATUS_FIELDS: readonly EventField[] = [
  { name: 'service_id', presence: 'required', form: INTEGER_FORM },
  { name: 'service_internal_code', presence: 'optional', form: 'a string, or null when not linked yet' },
  { name: 'status', presence: 'required', form: `any status code, ${INTEGER_FORM}` },
  { name: 'old_status', presence: 'required', form: `any status code, ${INTEGER_FORM}` },
];

/** One change of status; every value is the exact JSON text that was published. */
export interface StatusChange {
  readonly serviceId: string;
  readonly serviceInternalCode: string;
  readonly status: string;
  readonly oldStatus: string;
}

/** Reads `data`; what is wrong goes to `problems`, and the change means something only when nothing does. */
export function readStatusChange(data: JsonObject, problems: ProblemList): StatusChange {
  for (const { key, keySource } of data.members) {
    if (STATUS_FIELDS.some(({ name }) => name === key)) continue;
    const message = `${excerpt(keySource)} is no field of ${STATUS_CHANGED}. Leave it out.`;
    problems.add(childPointer('/data', key), 'UNKNOWN_FIELD', message);
  }
  return {
    serviceId: integerSource(data, 'service_id', problems),
    serviceInternalCode: textOrNullSource(data, 'service_internal_code', problems),
    status: integerSource(data, 'status', problems),
    oldStatus: integerSource(data, 'old_status', problems),
  };
}

/**
 * 64 lowercase hexadecimal digits from environment, service center, service, event type and the second of the
 * change, so that every publish of one change, by whomever, names the same event (CC-22). Another derivation
 * would let changes published before and after it pass as two events.
 */
export function statusEventId(
  environment: string,
  { companyId, companyInternalCode }: ServiceCenter,
  { serviceId }: StatusChange,
  occurredAt: Date,
): string {
  const second = Math.floor(occurredAt.getTime() / SECOND_MS);
  const identity = [STATUS_CHANGED, environment, String(companyId), companyInternalCode, serviceId, second];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex');
}

/** The body: one line of JSON, its members in this order (CC-21). */
export function statusEventBody(
  id: string,
  { companyId, companyInternalCode }: ServiceCenter,
  { serviceId, serviceInternalCode, status, oldStatus }: StatusChange,
  occurredAt: Date,
): string {
  const head = `"id":"${id}","spec_version":"${SPEC_VERSION}","event_type":"${STATUS_CHANGED}"`;
  const center = `"company_id":${companyId},"company_internal_code":${JSON.stringify(companyInternalCode)}`;
  const service = `"service_id":${serviceId},"service_internal_code":${serviceInternalCode}`;
  const data = `{${service},"status":${status},"old_status":${oldStatus}}`;
  return `{${head},${center},"occurred_at":"${cutToSecond(occurredAt).toISOString()}","data":${data}}`;
}

/** Cut and not rounded: an event never seems to lie in the future. */
function cutToSecond(at: Date): Date {
  return new Date(Math.floor(at.getTime() / SECOND_MS) * SECOND_MS);
}

/**
 * A safe integer as it was written. Only the plain spelling passes: `6.0` and `6e0` would reach receivers so,
 * and some read them as fractions.
 */
function integerSource(data: JsonObject, name: string, problems: ProblemList): string {
  const node = memberValue(data, name);
  const pointer = `/data/${name}`;
  if (node === undefined) {
    problems.add(pointer, 'REQUIRED', `${name} is missing. Send ${INTEGER_FORM}.`);
  } else if (node.kind !== 'number') {
    problems.add(pointer, 'INVALID_TYPE', `${name} is ${shown(node)}. Send ${INTEGER_FORM}.`);
  } else if (!/^(?:0|-?[1-9]\d*)$/.test(node.source) || !Number.isSafeInteger(Number(node.source))) {
    problems.add(pointer, 'INVALID_VALUE', `${name} is ${shown(node)}. Send ${INTEGER_FORM}.`);
  } else {
    return node.source;
  }
  return '0';
}

function textOrNullSource(data: JsonObject, name: string, problems: ProblemList): string {
  const node = memberValue(data, name);
  if (node === undefined || node.kind === 'null') return 'null';
  if (node.kind === 'string') return node.source;
  problems.add(`/data/${name}`, 'INVALID_TYPE', `${name} is ${shown(node)}. Send a string or null.`);
  return 'null';
}
