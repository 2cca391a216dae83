import type { ValueForm } from './field-values.js';

/** A known field of an envelope's `data`. */
export interface EnvelopeField {
  readonly name: string;
  readonly form: ValueForm;
  /** What a field without a value becomes: refused, sent as this JSON, or left out. */
  readonly withoutValue: 'refused' | 'null' | '[]' | 'left out';
}

/** The final verdicts on a verified NF-e; the two failures carry a `reason`. */
export const VERDICTS = ['VALIDATED', 'REJECTED', 'VALIDATION_ERROR'] as const;
export const VERDICTS_WITH_REASON: readonly string[] = ['REJECTED', 'VALIDATION_ERROR'];

/** The fiscal status that SEFAZ gives; not cross-checked with the verdict. */
export const FISCAL_STATUSES = [
  'Autorizada',
  'Cancelada',
  'Denegada',
  'Inutilizada',
  'NaoEncontrada',
  'Desconhecida',
] as const;

/** The events with an envelope: the known fields of `data` in sending order (TF-19, TF-20). */
export const ENVELOPES: ReadonlyMap<string, readonly EnvelopeField[]> = new Map([
  ['invoice.canceled', [required('invoice_id'), required('chave', accessKey()), required('protocolo')]],
  ['invoice.cce.registered', [required('invoice_id'), required('chave', accessKey()), required('n_seq')]],
  ['cte.event.registered', [required('event_code'), required('n_seq'), required('protocolo')]],
  [
    'invoice.verify.completed',
    [
      required('chaveAcesso', accessKey()),
      required('validationStatus', { kind: 'one-of', values: VERDICTS }),
      required('status', { kind: 'one-of', values: FISCAL_STATUSES }),
      nullable('cStat'),
      nullable('xMotivo'),
      nullable('protocolo', { kind: 'object', texts: ['numero', 'digestValue'] }),
      nullable('dataAutorizacao', { kind: 'utc-time' }),
      { name: 'eventos', form: { kind: 'array' }, withoutValue: '[]' },
      required('verifiedAt', { kind: 'utc-time' }),
      { name: 'reason', form: { kind: 'text' }, withoutValue: 'left out' },
    ],
  ],
]);

function required(name: string, form: ValueForm = { kind: 'text' }): EnvelopeField {
  return { name, form, withoutValue: 'refused' };
}

function nullable(name: string, form: ValueForm = { kind: 'text' }): EnvelopeField {
  return { name, form, withoutValue: 'null' };
}

function accessKey(): ValueForm {
  return { kind: 'access-key' };
}
