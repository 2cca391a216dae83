import type { EventField, EventType } from '../contract.js';
import { ENVELOPES, type EnvelopeField } from './envelope-fields.js';
import { describeForm } from './field-values.js';
import type { Presence } from './result-fields.js';
import { RESULT_FIELDS, type ResultField } from './result-object.js';

const PRESENCE_WORDS: Readonly<Record<Presence, EventField['presence']>> = {
  R: 'required',
  r: 'expected',
  O: 'optional',
  E: 'none',
  A: 'all-or-none',
};

/** The catalogue (TF-10). The reserved type is accepted and kept, and delivered to nobody (TF-11). */
export const EVENT_TYPES: readonly EventType[] = [
  type('invoice.authorized', 'SEFAZ authorized an NF-e.'),
  type('invoice.rejected', 'SEFAZ rejected an NF-e.'),
  type('invoice.canceled', 'SEFAZ registered the cancellation of an NF-e.'),
  type('invoice.cce.registered', 'A correction letter was registered on an NF-e. Reserved.', {
    reserved: true,
  }),
  type('invoice.verify.completed', 'The verification of an NF-e reached its final verdict.'),
  type('cte.authorized', 'SEFAZ authorized a CT-e.'),
  type('cte.rejected', 'SEFAZ rejected a CT-e.'),
  type('cte.canceled', 'SEFAZ registered the cancellation of a CT-e.'),
  type('cte.event.registered', 'Any other event was registered on a CT-e.'),
  type('dce.authorized', 'SEFAZ authorized a DC-e.'),
  type('dce.rejected', 'SEFAZ rejected a DC-e, or its issuance failed for good, numbered or not.'),
  type('dce.canceled', 'SEFAZ registered the cancellation of a DC-e.'),
  type(
    'dce.cancel_rejected',
    'The cancellation of a DC-e was rejected or failed for good; it stays authorized.',
  ),
];

function type(name: string, description: string, { reserved = false } = {}): EventType {
  const fields =
    RESULT_FIELDS.get(name)?.map(describeResultField) ?? ENVELOPES.get(name)?.map(describeEnvelopeField);
  if (!fields) throw new Error(`"${name}" has neither a result object nor an envelope.`);
  return { name, description, reserved, fields };
}

function describeResultField({ name, form, rule }: ResultField): EventField {
  return 'fixed' in rule
    ? { name, presence: 'derived', form: `"${rule.fixed}"` }
    : { name, presence: PRESENCE_WORDS[rule.presence], form: describeForm(form) };
}

function describeEnvelopeField({ name, form, withoutValue }: EnvelopeField): EventField {
  return { name, presence: withoutValue === 'refused' ? 'required' : 'optional', form: describeForm(form) };
}
