/**
 * The sample payloads of the TF Fiscal documentation, whitespace between tokens removed, and signatures computed
 * with OpenSSL and Python's hmac over the bytes of some of them.
 *
 * The NF-e samples leave fields without a value out; the bodies here carry them as `""`, as the field table
 * says (TF-13). The verified NF-e shows a `reason` only to explain it; a `VALIDATED` one carries none (TF-20).
 */
export interface PayloadVector {
  readonly title: string;
  readonly type: string;
  /** The `data` that a producer publishes. */
  readonly data: string;
  /** For an envelope: the id and time it carries. */
  readonly publicId?: string;
  readonly occurredAt?: string;
  /** The body that receivers get. */
  readonly body: string;
}

export const PAYLOAD_VECTORS: readonly PayloadVector[] = [
  {
    title: 'NF-e authorized',
    type: 'invoice.authorized',
    data: '{"tipo":"NF-e","empresaId":"1934811222334455","nfeId":"NFe-000014553","nfeStatus":"Autorizada","nfeLinkDanfe":"https://api.v2.tffiscal.com/openapi/files/danfe/35241204893402000113650010000117691017244265?token=MXw3fDEwMXwxNzU4...","nfeLinkXml":"https://api.v2.tffiscal.com/openapi/files/xml/8801?token=MXw3fDEwMXwxNzU4...","nfeNumero":"11769","nfeSerie":"10","nfeChaveAcesso":"35241204893402000113650010000117691017244265","nfeDataEmissao":"2024-12-04T17:44:26Z","nfeDataAutorizacao":"2024-12-04T17:44:26Z","nfeNumeroProtocolo":"135240002599237"}',
    body: '{"tipo":"NF-e","empresaId":"1934811222334455","nfeId":"NFe-000014553","nfeStatus":"Autorizada","nfeMotivoStatus":"","nfeLinkDanfe":"https://api.v2.tffiscal.com/openapi/files/danfe/35241204893402000113650010000117691017244265?token=MXw3fDEwMXwxNzU4...","nfeLinkXml":"https://api.v2.tffiscal.com/openapi/files/xml/8801?token=MXw3fDEwMXwxNzU4...","nfeNumero":"11769","nfeSerie":"10","nfeChaveAcesso":"35241204893402000113650010000117691017244265","nfeDataEmissao":"2024-12-04T17:44:26Z","nfeDataAutorizacao":"2024-12-04T17:44:26Z","nfeNumeroProtocolo":"135240002599237","nfeDigestValue":""}',
  },
  {
    title: 'NF-e denied',
    type: 'invoice.rejected',
    data: '{"tipo":"NF-e","empresaId":"1934811222334455","nfeId":"NFe-000014553","nfeStatus":"Negada","nfeMotivoStatus":"778 - Rejeicao: NCM inexistente","nfeNumero":"11769","nfeSerie":"10","nfeChaveAcesso":"35241204893402000113650010000117691017244265","nfeDataEmissao":"2024-12-04T17:44:26Z"}',
    body: '{"tipo":"NF-e","empresaId":"1934811222334455","nfeId":"NFe-000014553","nfeStatus":"Negada","nfeMotivoStatus":"778 - Rejeicao: NCM inexistente","nfeLinkDanfe":"","nfeLinkXml":"","nfeNumero":"11769","nfeSerie":"10","nfeChaveAcesso":"35241204893402000113650010000117691017244265","nfeDataEmissao":"2024-12-04T17:44:26Z","nfeDataAutorizacao":"","nfeNumeroProtocolo":"","nfeDigestValue":""}',
  },
  {
    title: 'CT-e authorized',
    type: 'cte.authorized',
    data: '{"tipo":"CT-e","empresaId":"1934811222334455","cteId":"CTE-ORD-1","cteStatus":"Autorizada","cteMotivoStatus":null,"cteLinkDacte":"https://api.v2.tffiscal.com/openapi/files/dacte/3526...?token=...","cteLinkXml":"https://api.v2.tffiscal.com/openapi/files/xml/7?token=...","cteNumero":"1","cteSerie":"1","cteChaveAcesso":"3526...","cteDataEmissao":"2026-09-06T12:00:00Z","cteDataAutorizacao":"2026-09-06T12:00:03Z","cteNumeroProtocolo":"135260000000001","cteDigestValue":"..."}',
    body: '{"tipo":"CT-e","empresaId":"1934811222334455","cteId":"CTE-ORD-1","cteStatus":"Autorizada","cteMotivoStatus":null,"cteLinkDacte":"https://api.v2.tffiscal.com/openapi/files/dacte/3526...?token=...","cteLinkXml":"https://api.v2.tffiscal.com/openapi/files/xml/7?token=...","cteNumero":"1","cteSerie":"1","cteChaveAcesso":"3526...","cteDataEmissao":"2026-09-06T12:00:00Z","cteDataAutorizacao":"2026-09-06T12:00:03Z","cteNumeroProtocolo":"135260000000001","cteDigestValue":"..."}',
  },
  {
    title: 'CT-e delivery receipt',
    type: 'cte.event.registered',
    data: '{"event_code":"110180","n_seq":"1","protocolo":"135260000000099"}',
    publicId: '987654321098765432',
    occurredAt: '2026-09-06T13:00:00Z',
    body: '{"version":"1.0","event_id":"987654321098765432","event_type":"cte.event.registered","occurred_at":"2026-09-06T13:00:00Z","data":{"event_code":"110180","n_seq":"1","protocolo":"135260000000099"}}',
  },
  {
    title: 'DC-e authorized',
    type: 'dce.authorized',
    data: '{"tipo":"DC-e","empresaId":"1934811222334455","dceId":"DCe-000012333","dceStatus":"Autorizada","dceMotivoStatus":null,"dceLinkDace":"https://api.v2.tffiscal.com/openapi/files/dace/35260940673061000134990010000000011100000012?token=...","dceLinkXml":"https://api.v2.tffiscal.com/openapi/files/xml/7?token=...","dceNumero":"1","dceSerie":"1","dceChaveAcesso":"41260940673061000134990010000000011101234567","dceDataEmissao":"2026-09-06T12:00:00Z","dceDataAutorizacao":"2026-09-06T12:00:03Z","dceNumeroProtocolo":"141260000000001","dceDigestValue":"tasG40Ic6Zh7PIBiLEEH7Hb940Y="}',
    body: '{"tipo":"DC-e","empresaId":"1934811222334455","dceId":"DCe-000012333","dceStatus":"Autorizada","dceMotivoStatus":null,"dceLinkDace":"https://api.v2.tffiscal.com/openapi/files/dace/35260940673061000134990010000000011100000012?token=...","dceLinkXml":"https://api.v2.tffiscal.com/openapi/files/xml/7?token=...","dceNumero":"1","dceSerie":"1","dceChaveAcesso":"41260940673061000134990010000000011101234567","dceDataEmissao":"2026-09-06T12:00:00Z","dceDataAutorizacao":"2026-09-06T12:00:03Z","dceNumeroProtocolo":"141260000000001","dceDigestValue":"tasG40Ic6Zh7PIBiLEEH7Hb940Y="}',
  },
  {
    title: 'DC-e rejected',
    type: 'dce.rejected',
    data: '{"tipo":"DC-e","empresaId":"1934811222334455","dceId":"DCe-000012333","dceStatus":"Negada","dceMotivoStatus":"225 - Rejeicao: Falha no schema XML","dceLinkDace":null,"dceLinkXml":null,"dceNumero":"1","dceSerie":"1","dceChaveAcesso":"4126...","dceDataEmissao":"2026-09-06T12:00:00Z","dceDataAutorizacao":null,"dceNumeroProtocolo":null,"dceDigestValue":null}',
    body: '{"tipo":"DC-e","empresaId":"1934811222334455","dceId":"DCe-000012333","dceStatus":"Negada","dceMotivoStatus":"225 - Rejeicao: Falha no schema XML","dceLinkDace":null,"dceLinkXml":null,"dceNumero":"1","dceSerie":"1","dceChaveAcesso":"4126...","dceDataEmissao":"2026-09-06T12:00:00Z","dceDataAutorizacao":null,"dceNumeroProtocolo":null,"dceDigestValue":null}',
  },
  {
    title: 'DC-e failed before numbering',
    type: 'dce.rejected',
    data: '{"tipo":"DC-e","empresaId":"1934811222334455","dceId":"DCe-000012333","dceStatus":"Negada","dceMotivoStatus":"Empresa não configurada para emissão de DC-e","dceLinkDace":null,"dceLinkXml":null,"dceNumero":null,"dceSerie":null,"dceChaveAcesso":null,"dceDataEmissao":"2026-09-06T12:00:00Z","dceDataAutorizacao":null,"dceNumeroProtocolo":null,"dceDigestValue":null}',
    body: '{"tipo":"DC-e","empresaId":"1934811222334455","dceId":"DCe-000012333","dceStatus":"Negada","dceMotivoStatus":"Empresa não configurada para emissão de DC-e","dceLinkDace":null,"dceLinkXml":null,"dceNumero":null,"dceSerie":null,"dceChaveAcesso":null,"dceDataEmissao":"2026-09-06T12:00:00Z","dceDataAutorizacao":null,"dceNumeroProtocolo":null,"dceDigestValue":null}',
  },
  {
    title: 'DC-e cancelled',
    type: 'dce.canceled',
    data: '{"tipo":"DC-e","empresaId":"1934811222334455","dceId":"DCe-000012333","dceStatus":"Cancelada","dceMotivoStatus":null,"dceLinkDace":"https://api.v2.tffiscal.com/openapi/files/dace/35260940673061000134990010000000011100000012?token=...","dceLinkXml":"https://api.v2.tffiscal.com/openapi/files/xml/7?token=...","dceNumero":"1","dceSerie":"1","dceChaveAcesso":"4126...","dceDataEmissao":"2026-09-06T12:00:00Z","dceDataAutorizacao":"2026-09-06T15:00:00Z","dceNumeroProtocolo":"141260000000099","dceDigestValue":null}',
    body: '{"tipo":"DC-e","empresaId":"1934811222334455","dceId":"DCe-000012333","dceStatus":"Cancelada","dceMotivoStatus":null,"dceLinkDace":"https://api.v2.tffiscal.com/openapi/files/dace/35260940673061000134990010000000011100000012?token=...","dceLinkXml":"https://api.v2.tffiscal.com/openapi/files/xml/7?token=...","dceNumero":"1","dceSerie":"1","dceChaveAcesso":"4126...","dceDataEmissao":"2026-09-06T12:00:00Z","dceDataAutorizacao":"2026-09-06T15:00:00Z","dceNumeroProtocolo":"141260000000099","dceDigestValue":null}',
  },
  {
    title: 'DC-e cancellation rejected',
    type: 'dce.cancel_rejected',
    data: '{"tipo":"DC-e","empresaId":"1934811222334455","dceId":"DCe-000012333","dceStatus":"CancelamentoNegado","dceMotivoStatus":"594 - Rejeicao: O numero de sequencia do evento informado e maior que o permitido","dceLinkDace":null,"dceLinkXml":"https://api.v2.tffiscal.com/openapi/files/xml/7?token=...","dceNumero":"1","dceSerie":"1","dceChaveAcesso":"4126...","dceDataEmissao":"2026-09-06T12:00:00Z","dceDataAutorizacao":null,"dceNumeroProtocolo":"141260000000001","dceDigestValue":"tasG40Ic6Zh7PIBiLEEH7Hb940Y="}',
    body: '{"tipo":"DC-e","empresaId":"1934811222334455","dceId":"DCe-000012333","dceStatus":"CancelamentoNegado","dceMotivoStatus":"594 - Rejeicao: O numero de sequencia do evento informado e maior que o permitido","dceLinkDace":null,"dceLinkXml":"https://api.v2.tffiscal.com/openapi/files/xml/7?token=...","dceNumero":"1","dceSerie":"1","dceChaveAcesso":"4126...","dceDataEmissao":"2026-09-06T12:00:00Z","dceDataAutorizacao":null,"dceNumeroProtocolo":"141260000000001","dceDigestValue":"tasG40Ic6Zh7PIBiLEEH7Hb940Y="}',
  },
  {
    title: 'NF-e verified',
    type: 'invoice.verify.completed',
    data: '{"chaveAcesso":"35260764962869000108550990001366171195929648","validationStatus":"VALIDATED","status":"Autorizada","cStat":"100","xMotivo":"Autorizado o uso da NF-e","protocolo":{"numero":"135262955451772","digestValue":"oAEE...HwY="},"dataAutorizacao":"2026-07-23T14:30:09Z","eventos":[],"verifiedAt":"2026-07-23T17:16:23Z"}',
    publicId: '1950000000000001',
    occurredAt: '2026-07-23T17:16:23Z',
    body: '{"version":"1.0","event_id":"1950000000000001","event_type":"invoice.verify.completed","occurred_at":"2026-07-23T17:16:23Z","data":{"chaveAcesso":"35260764962869000108550990001366171195929648","validationStatus":"VALIDATED","status":"Autorizada","cStat":"100","xMotivo":"Autorizado o uso da NF-e","protocolo":{"numero":"135262955451772","digestValue":"oAEE...HwY="},"dataAutorizacao":"2026-07-23T14:30:09Z","eventos":[],"verifiedAt":"2026-07-23T17:16:23Z"}}',
  },
];

export interface SignatureVector {
  readonly body: string;
  readonly applicationSecret: string;
  readonly at: string;
  readonly timestamp: string;
  readonly signature: string;
}

export const SIGNATURE_VECTORS: readonly SignatureVector[] = [
  {
    body: '{"tipo":"DC-e","empresaId":"1934811222334455","dceId":"DCe-000012333","dceStatus":"Negada","dceMotivoStatus":"Empresa não configurada para emissão de DC-e","dceLinkDace":null,"dceLinkXml":null,"dceNumero":null,"dceSerie":null,"dceChaveAcesso":null,"dceDataEmissao":"2026-09-06T12:00:00Z","dceDataAutorizacao":null,"dceNumeroProtocolo":null,"dceDigestValue":null}',
    applicationSecret: '5f1d0c7a9be2446c8a7d3e10f2b49c586d7e8f90a1b2c3d4e5f60718293a4b5c',
    at: '2026-09-06T12:00:04.999Z',
    timestamp: '1788696004',
    signature: '72120acfb5bb34da44c695ff3daa1c575934a790b3f6a62a3303253c78db7f8f',
  },
  {
    body: '{"version":"1.0","event_id":"987654321098765432","event_type":"cte.event.registered","occurred_at":"2026-09-06T13:00:00Z","data":{"event_code":"110180","n_seq":"1","protocolo":"135260000000099"}}',
    applicationSecret: 'supplied~secret!',
    at: '2026-09-06T13:00:01.000Z',
    timestamp: '1788699601',
    signature: 'cc3c63d0c1c9095e3a8fd342c0853619534e87b0b5118126b58ad1ca57b7c398',
  },
  {
    body: '{"version":"1.0","event_id":"verify-1","event_type":"webhook.verify","occurred_at":"2026-09-06T13:00:00Z","data":{}}',
    applicationSecret: 'supplied~secret!',
    at: '2026-09-06T13:00:00.250Z',
    timestamp: '1788699600',
    signature: 'c5cdce4c4962336e0a5f430c8906765ef08e3b7542afb2823091b5f9156c8acc',
  },
];
