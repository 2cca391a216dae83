import { describe, expect, it } from '@jest/globals';
import { cortecloud } from './cortecloud.js';
import { EXAMPLE } from './vectors.js';

const { credentials: schema, issueCredentials } = cortecloud.endpoint;

function faultsOf(supplied: Record<string, unknown>) {
  return (
    schema.safeParse(supplied).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  );
}

describe('issued credentials', () => {
  it('are a new pair each time, of at least 128 random bits each (CC-04)', () => {
    const pairs = Array.from({ length: 50 }, () => issueCredentials({}));
    for (const { credentials, issued } of pairs) {
      expect(issued).toEqual(credentials);
      expect(credentials['apiKey']).toMatch(/^sb_wk_[0-9a-f]{32}$/);
      expect(credentials['secret']).toMatch(/^sb_ws_[0-9a-f]{64}$/);
      expect(schema.parse(credentials)).toEqual(credentials);
    }
    const values = pairs.flatMap(({ issued }) => Object.values(issued));
    expect(new Set(values).size).toBe(100);
    expect(Object.keys(pairs[0]?.issued ?? {})).toEqual(cortecloud.endpoint.issuedCredentialNames);
  });

  it('stand beside an own key, which is kept and not shown (CC-05)', () => {
    const { credentials, issued } = issueCredentials({ ownKey: EXAMPLE.ownKey });
    expect(credentials['ownKey']).toBe(EXAMPLE.ownKey);
    expect(Object.keys(issued)).toEqual(['apiKey', 'secret']);
  });

  it('are none where an existing pair was supplied (CC-04)', () => {
    const { apiKey, secret, ownKey } = EXAMPLE;
    const supplied = schema.parse({ apiKey, secret, ownKey });
    expect(issueCredentials(supplied)).toEqual({ credentials: { apiKey, secret, ownKey }, issued: {} });
  });
});

describe('supplied credentials', () => {
  it('are a whole pair or none of it (CC-04)', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ apiKey: 'sb_wk_1' })).toEqual([expect.stringMatching(/^secret: secret is missing/)]);
    expect(faultsOf({ secret: 'sb_ws_1' })).toEqual([expect.stringMatching(/^apiKey: apiKey is missing/)]);
  });

  it('have no other members, and only texts', () => {
    expect(faultsOf({ token: 'x' })).toHaveLength(1);
    for (const name of ['apiKey', 'secret', 'ownKey']) {
      for (const value of [null, 7, {}, '']) {
        const pair = name === 'ownKey' ? {} : { apiKey: 'a', secret: 's' };
        expect(faultsOf({ ...pair, [name]: value })).toEqual([expect.stringMatching(`^${name}: ${name} `)]);
      }
    }
  });

  it.each(['sb_wk_exemplo', 'a', 'key~with!every#kind$of=sign,', 'k'.repeat(256)])(
    'take the api key %j (CC-04)',
    (apiKey) => {
      expect(schema.parse({ apiKey, secret: 's' })).toEqual({ apiKey, secret: 's' });
    },
  );

  it.each([
    ['hid"den', /U\+0022 at character 4/],
    ['hid\\den', /U\+005C at character 4/],
    ['hid den', /U\+0020 at character 4/],
    ['hidden\r\nX: y', /U\+000D at character 7/],
    ['hiddén', /U\+00E9 at character 5/],
    ['hidden\n', /U\+000A at character 7/],
    ['h'.repeat(257), /has 257 characters/],
  ])(
    'refuse the api key %j, which would break out of its quotes or its header (CC-32)',
    (apiKey, message) => {
      const faults = faultsOf({ apiKey, secret: 'hidden-too' });
      expect(faults).toEqual([expect.stringMatching(message)]);
      expect(faults[0]).not.toContain('hid');
    },
  );

  it.each(['with space', 'line\n', 'não', 's'.repeat(257)])('refuse the secret %j (CC-04)', (secret) => {
    expect(faultsOf({ apiKey: 'a', secret })).toEqual([expect.stringMatching(/^secret: secret has /)]);
  });

  it('refuse a pair whose halves are exchanged, which would send the secret in a header (CC-04)', () => {
    const { apiKey, secret } = EXAMPLE;
    expect(faultsOf({ apiKey: secret, secret: apiKey })).toEqual([
      expect.stringMatching(/^apiKey: .*exchanged/),
      expect.stringMatching(/^secret: .*exchanged/),
    ]);
  });

  it.each(['x', ' ', '"quoted"', 'chave própria 😀', '\u0000', 'k'.repeat(5_000)])(
    'take any non-empty own key: %j (CC-05)',
    (ownKey) => {
      expect(schema.parse({ ownKey })).toEqual({ ownKey });
    },
  );

  it('refuse an own key that has no bytes (CC-05)', () => {
    expect(faultsOf({ ownKey: 'a\ud800' })).toEqual([expect.stringMatching(/half of a surrogate pair/)]);
  });
});
