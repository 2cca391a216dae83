import { OutboundClient } from '#outbound/outbound-client.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NameServer } from '../receivers/name-server.js';
import { AdminApi } from '../support/admin-api.js';

let api: AdminApi;
let names: NameServer;
let outbound: OutboundClient;

beforeAll(async () => {
  names = await NameServer.start((name) => {
    if (name === 'public.example.com') return { addresses: ['203.0.114.7'] };
    if (name === 'mixed.example.com') return { addresses: ['203.0.114.7', '10.0.0.7'] };
    return name === 'inner.example.com' ? { addresses: ['192.168.7.7'] } : 'no-such-name';
  });
  outbound = new OutboundClient({ allowPrivateCidrs: [], resolver: { dnsServers: [names.address] } });
  api = await AdminApi.start({ outbound });
  await api.addApplication('acme');
});
afterAll(async () => {
  await api.stop();
  await outbound.close();
  await names.stop();
});

const put = (url: unknown) =>
  api.call('PUT', '/v1/applications/acme/webhook', { url, credentials: { token: 'token-1' } });

describe('the URL of a webhook (TF-03)', () => {
  it.each([
    ['http://127.0.0.1/hook', '127.0.0.1'],
    ['http://10.1.2.3/hook', '10.1.2.3'],
    ['https://172.16.0.1:8443/', '172.16.0.1'],
    ['http://192.168.0.1/', '192.168.0.1'],
    ['http://169.254.169.254/latest', '169.254.169.254'],
    ['http://0.0.0.0/', '0.0.0.0'],
    ['http://100.64.0.1/', '100.64.0.1'],
    ['http://[::1]/', '::1'],
    ['http://[fe80::1]/', 'fe80::1'],
    ['http://[fd00::1]/', 'fd00::1'],
    ['http://[::ffff:10.0.0.1]/', '::ffff:a00:1'],
    ['http://[64:ff9b::a00:1]/', '64:ff9b::a00:1'],
    ['http://[2002:a00:1::]/', '2002:a00:1::'],
    ['http://localhost/', '127.0.0.1'],
    ['http://inner.example.com/', '192.168.7.7'],
    ['http://mixed.example.com/', '10.0.0.7'],
  ])('is refused when it leads to a forbidden address: %s', async (url, address) => {
    const before = await api.registrations();
    const answer = await put(url);
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      { pointer: '/url', code: 'FORBIDDEN_ADDRESS', message: expect.stringContaining(address) },
    ]);
    expect(answer.body.errors[0].message).toContain('ALLOW_PRIVATE_CIDRS');
    expect(await api.registrations()).toEqual(before);
  });

  it.each([
    ['http://2130706433/', 'decimal'],
    ['http://0x7f000001/', 'hexadecimal'],
    ['http://0177.0.0.1/', 'octal'],
    ['http://127.1/', 'short'],
    ['http://１２７.0.0.1/', 'full-width digits'],
    ['http://user:pass@public.example.com/', 'userinfo'],
    ['http://public.example.com/#part', 'fragment'],
    ['http://public.example.com:0/', 'port 0'],
    ['http:/public.example.com/', 'one slash'],
    ['http:\\\\public.example.com/', 'backslashes'],
    ['http://public.example.com/a b', 'a space'],
    ['http://public.exa\tmple.com/', 'a tab'],
    ['http:///path', 'no host'],
    ['//public.example.com/', 'no scheme'],
    ['ftp://public.example.com/', 'another scheme'],
    [`http://public.example.com/${'x'.repeat(475)}`, '501 characters'],
    ['', 'nothing'],
    [7, 'a number'],
    [null, 'null'],
  ])('is refused as %j: %s', async (url, _) => {
    const before = await api.registrations();
    const answer = await put(url);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe('/url');
    expect(await api.registrations()).toEqual(before);
  });

  it.each([
    ['https://public.example.com/hook?a=1', 'https://public.example.com/hook?a=1'],
    ['http://Public.Example.com:80', 'http://public.example.com/'],
    [`http://public.example.com/${'x'.repeat(474)}`, `http://public.example.com/${'x'.repeat(474)}`],
  ])('is registered as the URL that will be called: %s', async (url, registered) => {
    const answer = await put(url);
    expect([200, 201]).toContain(answer.status);
    expect(answer.body).toMatchObject({ url: registered, warnings: [] });
  });

  it('is registered with a warning while its name does not resolve', async () => {
    const answer = await put('https://not-yet.example.com/hook');
    expect(answer.body).toMatchObject({
      url: 'https://not-yet.example.com/hook',
      warnings: [expect.stringContaining('not-yet.example.com')],
    });
  });

  it('is told together with every other fault', async () => {
    const answer = await api.call('PUT', '/v1/applications/acme/webhook', {
      url: 'ftp://user@public.example.com/#x',
      credentials: { token: '' },
    });
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual(
      expect.arrayContaining(['/url', '/credentials/token']),
    );
  });

  it('is judged by the same rules when it is changed', async () => {
    const { body } = await put('https://public.example.com/hook');
    const before = await api.registrations();
    for (const url of ['http://10.0.0.1/', 'ftp://x/', null]) {
      expect((await api.call('PATCH', `/v1/endpoints/${body.id}`, { url })).status).toBe(422);
    }
    expect(await api.registrations()).toEqual(before);
  });
});
