import { type JsonNode, type JsonObject, childPointer } from '#domain/json-source.js';
import { type ProblemList, excerpt, shown } from '../problem-list.js';
import { checkRequired, checkValue, valueIn, type ValueForm } from './field-values.js';
import {
  EMPTY_FORM,
  FIELDS,
  type FieldRole,
  holdsTime,
  type Presence,
  RESULTS,
  type Result,
} from './result-fields.js';

/** One of the 14 fields as an event has it. */
export interface ResultField {
  readonly name: string;
  /** JSON pointer into the publish call. */
  readonly pointer: string;
  readonly form: ValueForm;
  /** `fixed` follows from the event type (TF-15). */
  readonly rule: { readonly fixed: string; readonly role: FieldRole } | { readonly presence: Presence };
}

/** The fields of each event with a result object, in sending order. */
export const RESULT_FIELDS: ReadonlyMap<string, readonly ResultField[]> = new Map(
  [...RESULTS].map(([type, result]) => [type, fieldsOf(result)]),
);

/**
 * The body of a result object: the 14 fields in the contract's order, every value exactly as it was published,
 * and the document's empty form where there is none (TF-12 to TF-17). What is wrong goes to `problems`; the
 * body means something only when nothing does.
 */
export function buildResultObject(type: string, data: JsonObject, problems: ProblemList): string {
  const fields = RESULT_FIELDS.get(type);
  const result = RESULTS.get(type);
  if (!fields || !result) throw new Error(`"${type}" has no result object.`);

  const sent = new Map<string, JsonNode>();
  for (const { key, keySource, value } of data.members) {
    if (fields.some((field) => field.name === key)) sent.set(key, value);
    else problems.add(childPointer('/data', key), 'UNKNOWN_FIELD', unknownField(keySource, type, result));
  }

  if (result.presence.numbering === 'A') checkNumbering(fields, sent, problems);
  let body = '';
  for (const { name, pointer, form, rule } of fields) {
    const node = sent.get(name);
    const value = valueIn(node);
    if ('fixed' in rule) {
      if (value) checkFixed(type, result, rule, value, pointer, problems);
    } else if (rule.presence === 'R') {
      checkRequired(form, node, pointer, problems);
    } else if (rule.presence === 'E') {
      if (value) refuseValue(type, name, value, problems);
    } else if (value) {
      checkValue(form, value, pointer, problems);
    }
    const source = 'fixed' in rule ? `"${rule.fixed}"` : (value?.source ?? EMPTY_FORM[result.document]);
    body += `${body === '' ? '{' : ','}"${name}":${source}`;
  }
  return `${body}}`;
}

function fieldsOf(result: Result): readonly ResultField[] {
  return FIELDS.map(({ role, names }) => {
    const name = names[result.document];
    const form: ValueForm = { kind: holdsTime(name) ? 'utc-time' : 'text' };
    const field = { name, pointer: `/data/${name}`, form };
    if (role === 'tipo') return { ...field, rule: { role, fixed: result.document } };
    if (role === 'status') return { ...field, rule: { role, fixed: result.status } };
    return { ...field, rule: { presence: role === 'always' ? 'R' : result.presence[role] } };
  });
}

/** `tipo` and the status need not be sent; one that contradicts the event type is refused (TF-15, TF-18). */
function checkFixed(
  type: string,
  result: Result,
  { fixed, role }: { fixed: string; role: FieldRole },
  node: JsonNode,
  pointer: string,
  problems: ProblemList,
): void {
  const name = pointer.slice('/data/'.length);
  if (node.kind !== 'string') {
    problems.add(pointer, 'INVALID_TYPE', `${name} is ${shown(node)}. Send "${fixed}" or leave it out.`);
  } else if (result.document === 'CT-e' && role === 'status' && node.value === 'Falha') {
    const why = 'a CT-e that fails on the platform sends no callback, and its receiver asks the query API';
    problems.add(pointer, 'NO_CALLBACK_FOR_FALHA', `${name} is "Falha": ${why}. Do not publish it.`);
  } else if (node.value !== fixed) {
    const message = `${name} is ${shown(node)}, but ${type} means "${fixed}". Leave it out, or publish the type that fits.`;
    problems.add(pointer, 'CONTRADICTION', message);
  }
}

/** Number, series and key are all there or all absent (TF-17). */
function checkNumbering(
  fields: readonly ResultField[],
  sent: ReadonlyMap<string, JsonNode>,
  problems: ProblemList,
): void {
  const numbering = fields.filter(({ rule }) => 'presence' in rule && rule.presence === 'A');
  const given = numbering.filter(({ name }) => valueIn(sent.get(name)));
  if (given.length === 0) return;
  for (const { name } of numbering) {
    if (valueIn(sent.get(name))) continue;
    const message = `${name} has no value, unlike ${given.map((field) => field.name).join(' and ')}. Send number, series and key, or none of them for a document that was never numbered.`;
    problems.add(`/data/${name}`, 'REQUIRED', message);
  }
}

function refuseValue(type: string, name: string, node: JsonNode, problems: ProblemList): void {
  const message = `${name} is ${shown(node)}, but has no value in ${type}. Leave it out.`;
  problems.add(`/data/${name}`, 'VALUE_NOT_ALLOWED', message);
}

function unknownField(keySource: string, type: string, { document }: Result): string {
  return `${excerpt(keySource)} is no field of the ${document} result object, which is fixed. Leave it out of ${type}.`;
}
