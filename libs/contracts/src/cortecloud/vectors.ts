/**
 * The worked example of the Cortecloud documentation, and what its two published verifiers, run as they are,
 * read from URLs of every kind.
 */
export const EXAMPLE = {
  url: 'https://erp.example.com/webhooks/cortecloud',
  apiKey: 'sb_wk_exemplo',
  secret: 'sb_ws_exemplo',
  ownKey: 'token-do-cliente',
  eventId: '3f3584f349fc00fc06ad324d89bf976fac5dc0df043c3fe43868ad5b175aed98',
  body: '{"id":"3f3584f349fc00fc06ad324d89bf976fac5dc0df043c3fe43868ad5b175aed98","spec_version":"1","event_type":"service.status_changed","company_id":123,"company_internal_code":"CENTRAL-01","occurred_at":"2026-08-04T12:00:00.000Z","data":{"service_id":456,"service_internal_code":"PED-789","status":6,"old_status":4}}',
  canonicalRequest: `POST
/webhooks/cortecloud

host:erp.example.com

host
56cb1342b58572a917c94c09174ccbc794300b7fc3bd26c78b8950ce39b5631a`,
  signature: 'b184a379ea64a2af1210c4dd04e703b16f44e5227bc6c51f01b452f0c98020c6',
  clientToken: 'sha256=9608c5ca6278ceba4f977d55908b150b3d940e2cb6beb9945b41d00f3de4c962',
} as const;

/** The same change as a producer publishes it. */
export const EXAMPLE_PUBLISHED = {
  environment: 'production',
  attributes: { companyId: 123, companyInternalCode: 'CENTRAL-01' },
  occurredAt: '2026-08-04T12:00:00.000Z',
  data: '{"service_id":456,"service_internal_code":"PED-789","status":6,"old_status":4}',
  /**
   * Ours, for how the documented id was made is not told: SHA-256 by Python's hashlib of
   * `["service.status_changed","production","123","CENTRAL-01","456",1785844800]`.
   */
  eventId: '64a7eec91b44ec2a617388f7bde4d9e5da45011574c1954af8e2838cb30a0a9b',
} as const;

export interface UrlVector {
  readonly title: string;
  readonly url: string;
  /** As both published verifiers read it. */
  readonly path: string;
  readonly query: string;
  readonly host: string;
}

const HOST = 'erp.example.com';

/** URLs that both verifiers read alike. */
export const URL_VECTORS: readonly UrlVector[] = [
  { title: 'the default port', url: 'https://erp.example.com/in', path: '/in', query: '', host: HOST },
  { title: 'an empty path', url: 'https://erp.example.com', path: '/', query: '', host: HOST },
  {
    title: 'another port and a query',
    url: 'https://erp.example.com:8443/in?central=01',
    path: '/in',
    query: 'central=01',
    host: 'erp.example.com:8443',
  },
  {
    title: 'repeated names',
    url: 'https://erp.example.com/in?b=2&a=1&b=1&b=',
    path: '/in',
    query: 'a=1&b=&b=1&b=2',
    host: HOST,
  },
  {
    title: '+ and %20, which both mean a space',
    url: 'https://erp.example.com/in?q=a+b&r=a%20b&s=a%2Bb',
    path: '/in',
    query: 'q=a%20b&r=a%20b&s=a%2Bb',
    host: HOST,
  },
  {
    title: 'encoded values, and characters that need no encoding',
    url: 'https://erp.example.com/in?n=%C3%A9&m=S%C3%A3o%20Paulo&k=%7E%21%2A%27%28%29',
    path: '/in',
    query: "k=~!*'()&m=S%C3%A3o%20Paulo&n=%C3%A9",
    host: HOST,
  },
  {
    title: 'a raw non-ASCII value',
    url: 'https://erp.example.com/in?n=é',
    path: '/in',
    query: 'n=%C3%A9',
    host: HOST,
  },
  {
    title: 'percent sequences that do not decode',
    url: 'https://erp.example.com/in?x=%zz&y=%C3&w=50%',
    path: '/in',
    query: 'w=50%25&x=%25zz&y=%EF%BF%BD',
    host: HOST,
  },
  {
    title: 'names and values that are empty or missing',
    url: 'https://erp.example.com/in?flag&&empty=&=nameless&a=b=c',
    path: '/in',
    query: '=nameless&a=b%3Dc&empty=&flag=',
    host: HOST,
  },
  {
    title: 'a second question mark',
    url: 'https://erp.example.com/in??a=1',
    path: '/in',
    query: '%3Fa=1',
    host: HOST,
  },
  {
    title: 'an encoded slash and a semicolon in the path',
    url: 'https://erp.example.com/a%2Fb/c;d=1',
    path: '/a%2Fb/c;d=1',
    query: '',
    host: HOST,
  },
];

export interface DivergentUrlVector extends UrlVector {
  /** As the Node verifier reads it; deliveries are signed so. Python reads these parts otherwise. */
  readonly inPython: Readonly<Partial<Record<'path' | 'query' | 'host', string>>>;
  /** The URL with which the Python verifier agrees, or null where there is none. */
  readonly cure: string | null;
}

/** URLs that the two verifiers read differently (CC-06). */
export const DIVERGENT_URL_VECTORS: readonly DivergentUrlVector[] = [
  {
    title: 'capitals in the host',
    url: 'HTTPS://ERP.Example.com/in',
    path: '/in',
    query: '',
    host: HOST,
    inPython: { host: 'ERP.Example.com' },
    cure: 'https://erp.example.com/in',
  },
  {
    title: 'the default port, written',
    url: 'https://erp.example.com:443/in',
    path: '/in',
    query: '',
    host: HOST,
    inPython: { host: 'erp.example.com:443' },
    cure: 'https://erp.example.com/in',
  },
  {
    title: 'a raw non-ASCII path',
    url: 'https://erp.example.com/olá',
    path: '/ol%C3%A1',
    query: '',
    host: HOST,
    inPython: { path: '/olá' },
    cure: 'https://erp.example.com/ol%C3%A1',
  },
  {
    title: 'a path with dots',
    url: 'https://erp.example.com/a/../b',
    path: '/b',
    query: '',
    host: HOST,
    inPython: { path: '/a/../b' },
    cure: 'https://erp.example.com/b',
  },
  {
    title: 'a raw non-ASCII host',
    url: 'https://comércio.example/in',
    path: '/in',
    query: '',
    host: 'xn--comrcio-dya.example',
    inPython: { host: 'comércio.example' },
    cure: 'https://xn--comrcio-dya.example/in',
  },
  {
    title: 'names that differ in case',
    url: 'https://erp.example.com/in?Central=1&area=2',
    path: '/in',
    query: 'area=2&Central=1',
    host: HOST,
    inPython: { query: 'Central=1&area=2' },
    cure: null,
  },
  {
    title: 'a digit against an underscore',
    url: 'https://erp.example.com/in?page2=1&page_size=5',
    path: '/in',
    query: 'page_size=5&page2=1',
    host: HOST,
    inPython: { query: 'page2=1&page_size=5' },
    cure: null,
  },
  {
    title: 'values that differ in case, under a host in capitals',
    url: 'https://ERP.example.com/in?z=b&z=a&z=C',
    path: '/in',
    query: 'z=a&z=b&z=C',
    host: HOST,
    inPython: { query: 'z=C&z=a&z=b', host: 'ERP.example.com' },
    cure: null,
  },
];
