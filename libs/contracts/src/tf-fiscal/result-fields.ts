/**
 * The document result objects of NF-e, CT-e and DC-e as tables: which fields there are, in which order, and
 * what each event puts in them (TF-12, TF-15, TF-16).
 */

export type Document = 'NF-e' | 'CT-e' | 'DC-e';

/** What a field without a value is sent as (TF-13, TF-14). */
export const EMPTY_FORM: Readonly<Record<Document, string>> = {
  'NF-e': '""',
  'CT-e': 'null',
  'DC-e': 'null',
};

/**
 * Whether a field carries a value:
 * R required · r expected, its absence is accepted · E none, a value is refused · O either ·
 * A all of the three that number a document, or none of them (TF-17).
 */
export type Presence = 'R' | 'r' | 'E' | 'O' | 'A';

/** The columns of the presence table; a field of another role follows from the event, or is always required. */
export type PresenceColumn = 'reason' | 'pdf' | 'xml' | 'numbering' | 'time' | 'protocol' | 'digest';

export type FieldRole = 'tipo' | 'status' | 'always' | PresenceColumn;

/** Every result object has these 14 fields in this order. */
// prettier-ignore
export const FIELDS: readonly { readonly role: FieldRole; readonly names: Readonly<Record<Document, string>> }[] = [
  //     role         NF-e                  CT-e                  DC-e
  field('tipo',      'tipo',               'tipo',               'tipo'),
  field('always',    'empresaId',          'empresaId',          'empresaId'),
  field('always',    'nfeId',              'cteId',              'dceId'),
  field('status',    'nfeStatus',          'cteStatus',          'dceStatus'),
  field('reason',    'nfeMotivoStatus',    'cteMotivoStatus',    'dceMotivoStatus'),
  field('pdf',       'nfeLinkDanfe',       'cteLinkDacte',       'dceLinkDace'),
  field('xml',       'nfeLinkXml',         'cteLinkXml',         'dceLinkXml'),
  field('numbering', 'nfeNumero',          'cteNumero',          'dceNumero'),
  field('numbering', 'nfeSerie',           'cteSerie',           'dceSerie'),
  field('numbering', 'nfeChaveAcesso',     'cteChaveAcesso',     'dceChaveAcesso'),
  field('always',    'nfeDataEmissao',     'cteDataEmissao',     'dceDataEmissao'),
  field('time',      'nfeDataAutorizacao', 'cteDataAutorizacao', 'dceDataAutorizacao'),
  field('protocol',  'nfeNumeroProtocolo', 'cteNumeroProtocolo', 'dceNumeroProtocolo'),
  field('digest',    'nfeDigestValue',     'cteDigestValue',     'dceDigestValue'),
];

/** Fields that hold a time; all others hold text that is not looked into (TF-22). */
export function holdsTime(name: string): boolean {
  return name.endsWith('DataEmissao') || name.endsWith('DataAutorizacao');
}

/**
 * The events with a result object: `tipo`, the status, and TF-16. A rejected DC-e is rejected by SEFAZ, which
 * numbers it, or before it was numbered; the type does not say which, hence A.
 */
// prettier-ignore
export const RESULTS: ReadonlyMap<string, Result> = new Map([
  //      event                 tipo    status                reason pdf  xml  numbering time protocol digest
  result('invoice.authorized',  'NF-e', 'Autorizada',         'E',   'r', 'r', 'r',      'r', 'r',     'E'),
  result('invoice.rejected',    'NF-e', 'Negada',             'R',   'E', 'E', 'O',      'E', 'E',     'E'),
  result('cte.authorized',      'CT-e', 'Autorizada',         'E',   'r', 'r', 'R',      'r', 'r',     'O'),
  result('cte.rejected',        'CT-e', 'Negada',             'R',   'E', 'E', 'R',      'E', 'E',     'E'),
  result('cte.canceled',        'CT-e', 'Cancelada',          'E',   'O', 'O', 'R',      'O', 'O',     'O'),
  result('dce.authorized',      'DC-e', 'Autorizada',         'E',   'r', 'r', 'R',      'R', 'R',     'r'),
  result('dce.rejected',        'DC-e', 'Negada',             'R',   'E', 'E', 'A',      'E', 'E',     'E'),
  result('dce.canceled',        'DC-e', 'Cancelada',          'E',   'r', 'r', 'R',      'R', 'R',     'E'),
  result('dce.cancel_rejected', 'DC-e', 'CancelamentoNegado', 'R',   'E', 'R', 'R',      'E', 'R',     'R'),
]);

export interface Result {
  readonly document: Document;
  readonly status: string;
  readonly presence: Readonly<Record<PresenceColumn, Presence>>;
}

function field(role: FieldRole, nfe: string, cte: string, dce: string) {
  return { role, names: { 'NF-e': nfe, 'CT-e': cte, 'DC-e': dce } };
}

function result(
  type: string,
  document: Document,
  status: string,
  reason: Presence,
  pdf: Presence,
  xml: Presence,
  numbering: Presence,
  time: Presence,
  protocol: Presence,
  digest: Presence,
): [string, Result] {
  return [type, { document, status, presence: { reason, pdf, xml, numbering, time, protocol, digest } }];
}
