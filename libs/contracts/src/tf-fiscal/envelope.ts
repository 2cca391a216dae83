import { type JsonNode, type JsonObject, childPointer, memberValue, minify } from '#domain/json-source.js';
import { type ProblemList, excerpt, shown } from '../problem-list.js';
import { ENVELOPES, VERDICTS_WITH_REASON } from './envelope-fields.js';
import { checkRequired, checkValue, valueIn } from './field-values.js';

/** The payload schema version; only a breaking change of the contract would bump it. */
const VERSION = '1.0';

/**
 * The envelope around a `data` that is JSON already (TF-19).
 *
 * @param occurredAt sent in UTC to the second, cut and not rounded: an event never seems to lie in the future
 */
export function buildEnvelope(type: string, publicId: string, occurredAt: Date, dataJson: string): string {
  const at = `${occurredAt.toISOString().slice(0, 'YYYY-MM-DDThh:mm:ss'.length)}Z`;
  const head = `"version":"${VERSION}","event_id":${JSON.stringify(publicId)},"event_type":"${type}"`;
  return `{${head},"occurred_at":"${at}","data":${dataJson}}`;
}

/**
 * The `data` of an envelope: the known fields in the contract's order, then the producer's further ones in the
 * order sent, for fields may be added to it at any time. Values are as published, whitespace between tokens
 * aside (TF-19 to TF-21). What is wrong goes to `problems`.
 */
export function buildEnvelopeData(type: string, data: JsonObject, problems: ProblemList): string {
  const fields = ENVELOPES.get(type);
  if (!fields) throw new Error(`"${type}" has no envelope.`);
  refuseDescriptions(data, [], problems);

  const members: string[] = [];
  for (const { name, form, withoutValue } of fields) {
    const node = memberValue(data, name);
    const value = valueIn(node);
    const pointer = `/data/${name}`;
    if (withoutValue === 'refused') checkRequired(form, node, pointer, problems);
    else if (value) checkValue(form, value, pointer, problems);
    if (value) members.push(`"${name}":${compact(value)}`);
    else if (withoutValue === 'null' || withoutValue === '[]') members.push(`"${name}":${withoutValue}`);
  }
  if (type === 'invoice.verify.completed') checkReason(data, problems);

  for (const { key, keySource, value } of data.members) {
    if (!fields.some((field) => field.name === key)) members.push(`${keySource}:${compact(value)}`);
  }
  return `{${members.join(',')}}`;
}

/** `reason` comes with a failed verdict and with no other (TF-20). */
function checkReason(data: JsonObject, problems: ProblemList): void {
  const verdict = memberValue(data, 'validationStatus');
  if (verdict?.kind !== 'string') return;
  const reason = valueIn(memberValue(data, 'reason'));
  if (VERDICTS_WITH_REASON.includes(verdict.value) && !reason) {
    const message = `reason has no value, but validationStatus is "${verdict.value}". Send the text that explains the verdict.`;
    problems.add('/data/reason', 'REQUIRED', message);
  }
  if (verdict.value === 'VALIDATED' && reason) {
    const message = `reason is ${shown(reason)}, but a validationStatus of "VALIDATED" carries none. Leave it out.`;
    problems.add('/data/reason', 'VALUE_NOT_ALLOWED', message);
  }
}

/** Payloads carry enum values only; texts for people are the receiver's matter, at any depth (TF-19). */
function refuseDescriptions(node: JsonNode, path: readonly (string | number)[], problems: ProblemList): void {
  if (node.kind === 'array') {
    node.items.forEach((item, index) => {
      if (isNested(item)) refuseDescriptions(item, [...path, index], problems);
    });
  } else if (node.kind === 'object') {
    for (const { key, keySource, value } of node.members) {
      if (key.endsWith('Description')) {
        const pointer = [...path, key].reduce<string>(childPointer, '/data');
        const message = `${excerpt(keySource)} ends in "Description", and payloads carry no texts for people. Leave it out.`;
        problems.add(pointer, 'FIELD_NOT_ALLOWED', message);
      }
      if (isNested(value)) refuseDescriptions(value, [...path, key], problems);
    }
  }
}

function compact(node: JsonNode): string {
  return isNested(node) ? minify(node.source) : node.source;
}

function isNested(node: JsonNode): boolean {
  return node.kind === 'object' || node.kind === 'array';
}
