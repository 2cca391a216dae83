import { tfFiscal } from '#contracts/tf-fiscal/tf-fiscal.js';
import { DomainError, type FieldProblem } from '#domain/errors.js';
import { validated } from '#http/validation.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import { checkDescription } from '#registration/endpoint-description.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Platform } from '../support/platform.js';
import { until } from '../support/until.js';
import { ALLOWED_HOSTS, REFUSED_HOSTS, REFUSED_URLS, SPECIAL_PURPOSE_RANGES } from './address-spellings.js';
import { NameServer } from './name-server.js';
import { RawReceiver } from './raw-receiver.js';

/** What the URL rules make of a host that is spelled so that people read another one. */
const SPELLING_CODES = ['URL_ADDRESS_SPELLING', 'URL_CHARACTER_NOT_ALLOWED', 'URL_INVALID'];

const hosts = [
  ...new Set([
    ...Object.values(REFUSED_HOSTS).flat(),
    ...SPECIAL_PURPOSE_RANGES.flatMap(([, first, last]) => [first, last]),
  ]),
];
const urls = Object.entries(REFUSED_URLS).flatMap(([code, spellings]) =>
  spellings.map((url) => ({ url, code })),
);

let names: NameServer;
let outbound: OutboundClient;
/** On every address of this machine, so that it would notice being dialled under any of them. */
let everywhere: RawReceiver;

beforeAll(async () => {
  everywhere = await RawReceiver.start(() => {}, { host: '::' });
  names = await NameServer.start(() => 'no-such-name');
  outbound = new OutboundClient({ allowPrivateCidrs: [], resolver: { dnsServers: [names.address] } });
});
afterAll(async () => {
  await outbound.close();
  await Promise.all([everywhere.stop(), names.stop()]);
});

/** What registration answers to the URL: the one place where both ways of registering and of changing check it. */
async function refusal(url: string): Promise<FieldProblem> {
  const check = checkDescription(tfFiscal, { url }, outbound, (schema, value, pointer) =>
    validated(schema, value, { pointer }),
  );
  const refused = await check.then(
    () => null,
    (error: unknown) => error,
  );
  expect(refused).toBeInstanceOf(DomainError);
  const [problem] = (refused as DomainError).details.errors ?? [];
  expect(problem?.pointer).toBe('/url');
  return problem!;
}

function dial(url: string) {
  return outbound.post({
    url,
    headers: [],
    body: Buffer.from('{}'),
    connectTimeoutMs: 500,
    responseTimeoutMs: 500,
  });
}

describe('a URL that leads to a forbidden address (TF-03; design: Outbound safety)', () => {
  it('is spelled in more than 300 ways here', () => {
    expect(hosts.length + urls.length).toBeGreaterThan(300);
  });

  it.each(hosts)('is refused at registration and again when it is dialled: %s', async (host) => {
    const url = `http://${host}:${everywhere.port}/hook`;
    const registered = await refusal(url);
    const dialled = await dial(url);
    expect(dialled).toMatchObject({
      kind: 'failed',
      outcome: 'address_forbidden',
      error: { code: 'ADDRESS_FORBIDDEN', message: expect.stringContaining('ALLOW_PRIVATE_CIDRS') },
    });
    if (registered.code !== 'FORBIDDEN_ADDRESS') return expect(SPELLING_CODES).toContain(registered.code);
    // One judgement, in the same words, which name the address as it would be dialled.
    expect(dialled).toMatchObject({ error: { message: registered.message } });
    expect(registered.message).toContain(new URL(url).hostname.replace(/^\[|\]$/g, ''));
  });

  it.each(urls)('is refused as $code: $url', async ({ url, code }) => {
    expect((await refusal(url)).code).toBe(code);
    const dialled = await dial(url);
    if (dialled.kind === 'fault') expect(dialled.error.code).toBe('INVALID_URL');
    else expect(['address_forbidden', 'dns']).toContain(dialled.outcome);
  });

  it.each(ALLOWED_HOSTS)('is told from its neighbour that may be called: %s', async (host) => {
    expect(await outbound.checkDestination(`http://${host}/hook`)).toMatchObject({ verdict: 'allowed' });
  });

  it('is not dialled by the worker, where it was registered under other settings', async () => {
    const platform = await Platform.create();
    try {
      platform.worker = platform.newWorker({ outbound });
      await platform.startWorker();
      await platform.addApplication('acme');
      for (const host of hosts) await platform.addEndpoint('acme', `http://${host}:${everywhere.port}/hook`);
      expect(await platform.publish('acme')).toMatchObject({ deliveryCount: hosts.length });
      const attempts = await until(
        async () => {
          const rows = await platform.sql('SELECT outcome, error_code, remote_address FROM attempts');
          return rows.length === hosts.length && rows;
        },
        { timeoutMs: 10_000 },
      );
      const refused = { outcome: 'address_forbidden', error_code: 'ADDRESS_FORBIDDEN', remote_address: null };
      expect(attempts).toEqual(hosts.map(() => refused));
    } finally {
      await platform.destroy();
    }
  });

  it('was dialled by none of these', () => {
    expect(everywhere.connectionCount).toBe(0);
  });
});
