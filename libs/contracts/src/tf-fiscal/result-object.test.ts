import { describe, expect, it } from '@jest/globals';
import { type JsonObject, parseJsonSource } from '#domain/json-source.js';
import { ProblemList } from '../problem-list.js';
import { RESULT_FIELDS, buildResultObject } from './result-object.js';

function build(type: string, data: string | Record<string, unknown>) {
  const problems = new ProblemList();
  const json = typeof data === 'string' ? data : JSON.stringify(data);
  const body = buildResultObject(type, parseJsonSource(json) as JsonObject, problems);
  return {
    body,
    problems: problems.toArray(),
    codes: problems.toArray().map((p) => `${p.pointer} ${p.code}`),
  };
}

/** The contract's table of which fields carry a value, typed from its text and not from the code (TF-16). */
const COLUMNS = ['motivo', 'pdf', 'xml', 'number, series, key', 'time', 'protocol', 'digest'] as const;
const TABLE: Record<string, string> = {
  'invoice.authorized': 'E r r r r r E',
  'invoice.rejected': 'R E E O E E E',
  'cte.authorized': 'E r r R r r O',
  'cte.rejected': 'R E E R E E E',
  'cte.canceled': 'E O O R O O O',
  'dce.authorized': 'E r r R R R r',
  'dce.rejected by SEFAZ': 'R E E R E E E',
  'dce.rejected before numbering': 'R E E E E E E',
  'dce.canceled': 'E r r R R R E',
  'dce.cancel_rejected': 'R E R R E R R',
};
const STATUS: Record<string, string> = {
  authorized: 'Autorizada',
  rejected: 'Negada',
  canceled: 'Cancelada',
  cancel_rejected: 'CancelamentoNegado',
};
const TIME = '2026-09-06T12:00:00Z';

function fieldsByColumn(prefix: string): Record<string, readonly string[]> {
  const pdf = { nfe: 'Danfe', cte: 'Dacte', dce: 'Dace' }[prefix];
  return {
    always: ['empresaId', `${prefix}Id`, `${prefix}DataEmissao`],
    motivo: [`${prefix}MotivoStatus`],
    pdf: [`${prefix}Link${pdf}`],
    xml: [`${prefix}LinkXml`],
    'number, series, key': [`${prefix}Numero`, `${prefix}Serie`, `${prefix}ChaveAcesso`],
    time: [`${prefix}DataAutorizacao`],
    protocol: [`${prefix}NumeroProtocolo`],
    digest: [`${prefix}DigestValue`],
  };
}

/** Each row of the table: its fields with their letters, and data that holds exactly the given letters' values. */
const ROWS = Object.entries(TABLE).map(([row, letters]) => {
  const type = row.split(' ')[0] ?? '';
  const prefix = type.startsWith('invoice') ? 'nfe' : type.slice(0, 3);
  const columns = fieldsByColumn(prefix);
  const presence = new Map<string, string>(columns['always']?.map((name) => [name, 'R']));
  for (const [index, letter] of letters.split(' ').entries()) {
    for (const name of columns[COLUMNS[index] ?? ''] ?? []) presence.set(name, letter);
  }
  const holding = (wanted: string) =>
    Object.fromEntries(
      [...presence]
        .filter(([, letter]) => wanted.includes(letter))
        .map(([name]) => [name, name.includes('Data') ? TIME : `${name} value`]),
    );
  return { row, type, prefix, presence, holding };
});

describe.each(ROWS)('$row', ({ row, type, prefix, presence, holding }) => {
  it('takes everything the table allows, and the required alone (TF-16)', () => {
    expect(build(type, holding('RrO')).codes).toEqual([]);
    expect(build(type, holding('R')).codes).toEqual([]);
  });

  it('requires what the table requires, whether absent, null or "" (TF-16)', () => {
    // Number, series and key of a rejected DC-e are required of each other only (TF-17).
    const required = [...presence].filter(
      ([name, letter]) =>
        letter === 'R' && !(row.startsWith('dce.rejected') && /Numero|Serie|Chave/.test(name)),
    );
    for (const [name] of required) {
      const { [name]: removed, ...rest } = holding('RrO');
      expect(removed).toBeDefined();
      expect(build(type, rest).codes).toEqual([`/data/${name} REQUIRED`]);
      expect(build(type, { ...rest, [name]: null }).codes).toEqual([`/data/${name} REQUIRED`]);
      expect(build(type, { ...rest, [name]: '' }).codes).toEqual([`/data/${name} REQUIRED`]);
    }
    expect(required.length).toBeGreaterThanOrEqual(3);
  });

  it('refuses a value where the table has none, and takes null and "" there (TF-16)', () => {
    for (const [name, letter] of presence) {
      if (letter !== 'E' || (row.endsWith('numbering') && /Numero$|Serie|Chave/.test(name))) continue;
      const data = holding('RrO');
      expect(build(type, { ...data, [name]: TIME }).codes).toEqual([`/data/${name} VALUE_NOT_ALLOWED`]);
      expect(build(type, { ...data, [name]: 7 }).codes).toEqual([`/data/${name} VALUE_NOT_ALLOWED`]);
      expect(build(type, { ...data, [name]: '' }).codes).toEqual([]);
      expect(build(type, { ...data, [name]: null }).codes).toEqual([]);
    }
  });

  it('is in the reference as it is in the table (TF-16)', () => {
    const inReference = new Map(
      RESULT_FIELDS.get(type)?.map(({ name, rule }) => [name, 'presence' in rule ? rule.presence : 'fixed']),
    );
    for (const [name, letter] of presence) {
      const eitherForm = type === 'dce.rejected' && /Numero$|Serie|Chave/.test(name);
      expect(inReference.get(name)).toBe(eitherForm ? 'A' : letter);
    }
  });

  it('sends 14 fields in the order of the contract, tipo first, whatever the order published (TF-12)', () => {
    const names = [
      'tipo',
      'empresaId',
      `${prefix}Id`,
      `${prefix}Status`,
      `${prefix}MotivoStatus`,
      ...(fieldsByColumn(prefix)['pdf'] ?? []),
      `${prefix}LinkXml`,
      `${prefix}Numero`,
      `${prefix}Serie`,
      `${prefix}ChaveAcesso`,
      `${prefix}DataEmissao`,
      `${prefix}DataAutorizacao`,
      `${prefix}NumeroProtocolo`,
      `${prefix}DigestValue`,
    ];
    const reversed = Object.fromEntries(Object.entries(holding('RrO')).reverse());
    const { body } = build(type, reversed);
    expect(Object.keys(JSON.parse(body) as object)).toEqual(names);
    expect(body).toBe(build(type, holding('RrO')).body);
    expect(body).not.toContain('event_id');
  });

  it('sets tipo and status from the type, sent or not, and refuses a contradiction (TF-15)', () => {
    const tipo = { nfe: 'NF-e', cte: 'CT-e', dce: 'DC-e' }[prefix];
    const status = STATUS[type.split('.')[1] ?? ''];
    const data = holding('R');
    const statusName = `${prefix}Status`;
    expect(JSON.parse(build(type, data).body)).toMatchObject({ tipo, [statusName]: status });
    expect(build(type, { ...data, tipo, [statusName]: status })).toEqual(build(type, data));
    expect(build(type, { ...data, tipo: null, [statusName]: '' })).toEqual(build(type, data));
    expect(build(type, { ...data, tipo: 'MDF-e', [statusName]: 'Inutilizada' }).codes).toEqual([
      '/data/tipo CONTRADICTION',
      `/data/${statusName} CONTRADICTION`,
    ]);
    expect(build(type, { ...data, [statusName]: 100 }).codes).toEqual([`/data/${statusName} INVALID_TYPE`]);
  });
});

const NFE = { empresaId: '1', nfeId: 'a', nfeDataEmissao: TIME };
const CTE = {
  empresaId: '1',
  cteId: 'a',
  cteDataEmissao: TIME,
  cteNumero: '1',
  cteSerie: '1',
  cteChaveAcesso: '3526...',
};
const DCE = { empresaId: '1', dceId: 'a', dceDataEmissao: TIME };

describe('a result object', () => {
  it('sends "" for a field of an NF-e without a value (TF-13)', () => {
    expect(build('invoice.authorized', { ...NFE, nfeNumero: null, nfeSerie: '' }).body).toBe(
      '{"tipo":"NF-e","empresaId":"1","nfeId":"a","nfeStatus":"Autorizada","nfeMotivoStatus":"","nfeLinkDanfe":"",' +
        '"nfeLinkXml":"","nfeNumero":"","nfeSerie":"","nfeChaveAcesso":"","nfeDataEmissao":"2026-09-06T12:00:00Z",' +
        '"nfeDataAutorizacao":"","nfeNumeroProtocolo":"","nfeDigestValue":""}',
    );
  });

  it('sends null for a field of a CT-e or DC-e without a value, also where "" was published (TF-14)', () => {
    expect(build('cte.canceled', { ...CTE, cteLinkXml: '', cteDigestValue: null }).body).toContain(
      '"cteMotivoStatus":null,"cteLinkDacte":null,"cteLinkXml":null,"cteNumero":"1"',
    );
    expect(build('dce.rejected', { ...DCE, dceMotivoStatus: 'x', dceNumero: '' }).body).toContain(
      '"dceNumero":null,"dceSerie":null,"dceChaveAcesso":null',
    );
  });

  it('refuses a number and never coerces it (TF-14)', () => {
    const { problems } = build('invoice.authorized', { ...NFE, nfeNumero: 11769 });
    expect(problems).toEqual([
      {
        pointer: '/data/nfeNumero',
        code: 'INVALID_TYPE',
        message: 'nfeNumero is the number 11769. Send it as a string, "11769".',
      },
    ]);
    for (const value of [true, {}, []]) {
      expect(build('invoice.authorized', { ...NFE, nfeId: value }).codes).toEqual([
        '/data/nfeId INVALID_TYPE',
      ]);
    }
  });

  it('refuses unknown fields, event_id and fields of another document among them (TF-12)', () => {
    const data = { ...NFE, event_id: 'x', cteId: 'y', nfeid: 'z', __proto: 1 };
    expect(build('invoice.authorized', data).codes).toEqual([
      '/data/event_id UNKNOWN_FIELD',
      '/data/cteId UNKNOWN_FIELD',
      '/data/nfeid UNKNOWN_FIELD',
      '/data/__proto UNKNOWN_FIELD',
    ]);
    expect(build('invoice.authorized', '{"__proto__":{"nfeId":"x"},"a/b":1}').codes).toEqual([
      '/data/__proto__ UNKNOWN_FIELD',
      '/data/a~1b UNKNOWN_FIELD',
      '/data/empresaId REQUIRED',
      '/data/nfeId REQUIRED',
      '/data/nfeDataEmissao REQUIRED',
    ]);
  });

  it('takes number, series and key of a rejected DC-e all together or not at all (TF-17)', () => {
    const rejected = { ...DCE, dceMotivoStatus: 'Empresa não configurada' };
    const numbering = { dceNumero: '1', dceSerie: '1', dceChaveAcesso: '4126...' };
    expect(build('dce.rejected', rejected).codes).toEqual([]);
    expect(build('dce.rejected', { ...rejected, ...numbering }).codes).toEqual([]);
    for (const name of Object.keys(numbering)) {
      const others = Object.keys(numbering).filter((other) => other !== name);
      expect(build('dce.rejected', { ...rejected, ...numbering, [name]: '' }).codes).toEqual([
        `/data/${name} REQUIRED`,
      ]);
      expect(build('dce.rejected', { ...rejected, [name]: '1' }).codes).toEqual(
        others.map((other) => `/data/${other} REQUIRED`),
      );
    }
    expect(build('dce.rejected', { ...rejected, dceSerie: '1', dceNumero: '1' }).problems[0]?.message).toBe(
      'dceChaveAcesso has no value, unlike dceNumero and dceSerie. Send number, series and key, or none of them for a document that was never numbered.',
    );
  });

  it('does not ask for a "cStat - " prefix of the reason, numbered or not (TF-17)', () => {
    const rejected = { ...DCE, dceMotivoStatus: 'sem prefixo' };
    expect(build('dce.rejected', rejected).codes).toEqual([]);
    expect(
      build('dce.rejected', { ...rejected, dceNumero: '1', dceSerie: '1', dceChaveAcesso: 'k' }).codes,
    ).toEqual([]);
    expect(build('cte.rejected', { ...CTE, cteMotivoStatus: 'sem prefixo' }).codes).toEqual([]);
  });

  it.each(['cte.authorized', 'cte.rejected', 'cte.canceled'])(
    'refuses a CT-e whose status is Falha with an error that says so: %s (TF-18)',
    (type) => {
      const { problems } = build(type, {
        ...CTE,
        cteMotivoStatus: type.endsWith('rejected') ? 'x' : '',
        cteStatus: 'Falha',
      });
      expect(problems).toEqual([
        {
          pointer: '/data/cteStatus',
          code: 'NO_CALLBACK_FOR_FALHA',
          message: expect.stringContaining('sends no callback'),
        },
      ]);
    },
  );

  it('knows Falha of CT-e only: a DC-e that fails for good is Negada (TF-18)', () => {
    const data = { ...DCE, dceMotivoStatus: 'x', dceStatus: 'Falha' };
    expect(build('dce.rejected', data).codes).toEqual(['/data/dceStatus CONTRADICTION']);
  });

  it('does not look into access keys: abbreviated and alphanumeric ones pass (TF-22)', () => {
    for (const key of ['3526...', '41260940673061000134990010000000011101234567', '12ABC34501DE35', 'ç']) {
      expect(build('cte.canceled', { ...CTE, cteChaveAcesso: key }).codes).toEqual([]);
    }
  });

  it.each([
    '2026-09-06T12:00:00Z',
    '2026-09-06T12:00:00.123456Z',
    '2024-02-29T23:59:59Z',
    '2026-12-31T00:00:00Z',
  ])('passes the UTC time %s verbatim (TF-22)', (time) => {
    const { body, codes } = build('invoice.authorized', {
      ...NFE,
      nfeDataEmissao: time,
      nfeDataAutorizacao: time,
    });
    expect(codes).toEqual([]);
    expect(body).toContain(`"nfeDataEmissao":"${time}","nfeDataAutorizacao":"${time}"`);
  });

  it.each([
    '2026-09-06T12:00:00-03:00',
    '2026-09-06T12:00:00+00:00',
    '2026-09-06T12:00:00',
    '2026-09-06T12:00Z',
    '2026-09-06 12:00:00Z',
    '2026-09-06t12:00:00z',
    '2026-02-29T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-01-32T12:00:00Z',
    '2026-00-01T12:00:00Z',
    '2026-09-06T12:60:00Z',
    '2026-09-06T12:00:60Z',
    '2026-13-01T12:00:00Z',
    '2026-09-06T24:00:00Z',
    '2026-09-06',
    ' 2026-09-06T12:00:00Z',
    'ontem',
  ])('refuses %s, which is no UTC time with Z (TF-22)', (time) => {
    expect(
      build('invoice.authorized', { ...NFE, nfeDataEmissao: time, nfeDataAutorizacao: time }).codes,
    ).toEqual(['/data/nfeDataEmissao INVALID_VALUE', '/data/nfeDataAutorizacao INVALID_VALUE']);
  });

  it('sends the escapes that were published, NUL and lone surrogates included (TF-21)', () => {
    const data =
      '{ "nfeId" : "\\u00e9\\/\\ud83d\\u0000" , "empresaId":"é/\\n", "nfeDataEmissao":"2026-09-06T12:00:00Z" }';
    const { body, codes } = build('invoice.authorized', data);
    expect(codes).toEqual([]);
    expect(body).toContain('"empresaId":"é/\\n","nfeId":"\\u00e9\\/\\ud83d\\u0000",');
  });

  it('reports everything at once', () => {
    const data = { nfeId: 1, nfeStatus: 'Negada', nfeMotivoStatus: 'x', nfeDataEmissao: 'y', extra: 1 };
    expect(build('invoice.authorized', data).codes).toEqual([
      '/data/extra UNKNOWN_FIELD',
      '/data/empresaId REQUIRED',
      '/data/nfeId INVALID_TYPE',
      '/data/nfeStatus CONTRADICTION',
      '/data/nfeMotivoStatus VALUE_NOT_ALLOWED',
      '/data/nfeDataEmissao INVALID_VALUE',
    ]);
  });

  it('has 14 fields for each of its nine events (TF-12)', () => {
    expect([...RESULT_FIELDS.keys()].sort()).toEqual([...new Set(ROWS.map(({ type }) => type))].sort());
    expect([...RESULT_FIELDS.values()].map((fields) => fields.length)).toEqual(Array(9).fill(14));
  });
});
