import { type JsonNode, memberValue } from '#domain/json-source.js';
import { type ProblemList, excerpt, shown } from '../problem-list.js';

/** What a value must look like. Every scalar of this contract is a string (TF-14). */
export type ValueForm =
  | { readonly kind: 'text' }
  | { readonly kind: 'utc-time' }
  | { readonly kind: 'access-key' }
  | { readonly kind: 'one-of'; readonly values: readonly string[] }
  | { readonly kind: 'array' }
  | { readonly kind: 'object'; readonly texts: readonly string[] };

/** The value that was sent, or null: absent, `null` and `""` all mean "without a value" (TF-14). */
export function valueIn(node: JsonNode | undefined): JsonNode | null {
  if (node === undefined || node.kind === 'null') return null;
  return node.kind === 'string' && node.value === '' ? null : node;
}

/** Reports what is wrong with a value that is there. */
export function checkValue(form: ValueForm, node: JsonNode, pointer: string, problems: ProblemList): void {
  if (form.kind === 'array' || form.kind === 'object') {
    if (node.kind !== form.kind) {
      problems.add(pointer, 'INVALID_TYPE', `${nameOf(pointer)} is ${shown(node)}. Send an ${form.kind}.`);
    } else if (form.kind === 'object' && node.kind === 'object') {
      for (const text of form.texts) {
        checkRequired({ kind: 'text' }, memberValue(node, text), `${pointer}/${text}`, problems);
      }
    }
    return;
  }
  if (node.kind !== 'string') {
    const cure = node.kind === 'number' ? `Send it as a string, "${excerpt(node.source)}"` : 'Send a string';
    problems.add(pointer, 'INVALID_TYPE', `${nameOf(pointer)} is ${shown(node)}. ${cure}.`);
    return;
  }
  if (!fits(form, node.value)) {
    problems.add(
      pointer,
      'INVALID_VALUE',
      `${nameOf(pointer)} is ${shown(node)}. Send ${describeForm(form)}.`,
    );
  }
}

/** As {@link checkValue}, for a value that has to be there. */
export function checkRequired(
  form: ValueForm,
  node: JsonNode | undefined,
  pointer: string,
  problems: ProblemList,
): void {
  const value = valueIn(node);
  if (value) {
    checkValue(form, value, pointer, problems);
  } else {
    const state = node === undefined ? 'missing' : `${node.source}, which means without a value`;
    problems.add(pointer, 'REQUIRED', `${nameOf(pointer)} is ${state}. Send ${describeForm(form)}.`);
  }
}

/** The form in words, for messages and for the contract's reference. */
export function describeForm(form: ValueForm): string {
  switch (form.kind) {
    case 'text':
      return 'a non-empty string';
    case 'utc-time':
      return 'a UTC time that ends in Z, such as "2026-09-06T12:00:00Z"';
    case 'access-key':
      return 'the access key: 44 digits or capital letters';
    case 'one-of':
      return `one of ${form.values.map((value) => `"${value}"`).join(', ')}`;
    case 'array':
      return 'an array';
    case 'object':
      return `an object with ${form.texts.map((text) => `"${text}"`).join(' and ')}, both non-empty strings`;
  }
}

function fits(form: Exclude<ValueForm, { kind: 'array' | 'object' }>, value: string): boolean {
  switch (form.kind) {
    case 'text':
      return true;
    case 'utc-time':
      return isUtcTime(value);
    case 'access-key':
      return /^[0-9A-Z]{44}$/.test(value);
    case 'one-of':
      return form.values.includes(value);
  }
}

const UTC_TIME =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

/** A time that exists, to the second or finer, in UTC and written with `Z` (TF-22). */
function isUtcTime(value: string): boolean {
  const [, year, month, day] = UTC_TIME.exec(value) ?? [];
  if (day === undefined) return false;
  return Number(day) <= 28 || Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
}

function nameOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}
