import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RawReceiver, response } from '../receivers/raw-receiver.js';
import { AdminApi } from '../support/admin-api.js';
import { until } from '../support/until.js';

const TOKEN = 'token-of-the-exchange-tests';

let api: AdminApi;
let receiver: RawReceiver;
/** What the receiver answers, made from the bytes of the request. */
let answer: (head: string) => string | Buffer;

beforeAll(async () => {
  [api, receiver] = await Promise.all([
    AdminApi.start(),
    RawReceiver.start((socket, { head }) => socket.write(answer(head))),
  ]);
  await api.platform.startWorker();
});
afterAll(async () => {
  await api.stop();
  await receiver.stop();
});

type Shown = readonly { readonly name: string; readonly value: string }[];
const valueOf = (headers: Shown, name: string) => headers.find((header) => header.name === name)?.value;

/** An event that the receiver has answered; returns its delivery's id. */
async function exchanged(application: string): Promise<string> {
  await api.addApplication(application);
  await api.addWebhook(application, receiver.url(), TOKEN);
  await api.platform.publish(application, 'ev-1');
  return until(async () => {
    const { body } = await api.call('GET', `/v1/deliveries?application=${application}`);
    const [delivery] = body.items as { id: string; attemptCount: number }[];
    return delivery?.attemptCount === 1 && delivery.id;
  });
}

const attemptOf = async (delivery: string) =>
  (await api.call('GET', `/v1/deliveries/${delivery}/attempts/1`)).body;

describe('an attempt', () => {
  it('shows its request and its response as they were on the wire, and whose they are', async () => {
    answer = () =>
      response('418 Teapot', 'short and stout', 'X-Kettle: copper', 'Set-Cookie: a=1', 'Set-Cookie: b=2');
    const delivery = await exchanged('shown');
    const attempt = await attemptOf(delivery);
    const { head, body } = receiver.requests.at(-1)!;
    expect(attempt).toMatchObject({
      delivery,
      event: 'ev-1',
      application: 'shown',
      endpoint: expect.stringMatching(/^\d+$/),
      type: 'cte.event.registered',
      number: 1,
      request: {
        method: 'POST',
        url: receiver.url(),
        body: { bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') },
      },
      response: {
        httpStatus: 418,
        headers: [
          { name: 'X-Kettle', value: 'copper' },
          { name: 'Set-Cookie', value: 'a=1' },
          { name: 'Set-Cookie', value: 'b=2' },
          { name: 'Content-Length', value: '15' },
        ],
        headersCut: false,
        text: 'short and stout',
      },
    });
    const sent = head.split('\r\n').slice(1, -2);
    const shown = (attempt.request.headers as Shown).map(({ name, value }) => `${name}: ${value}`);
    expect(shown.filter((line) => !line.includes('***')).every((line) => sent.includes(line))).toBe(true);
    expect(shown.map((line) => line.split(':')[0])).toEqual(
      sent
        .map((line) => line.split(':')[0])
        .filter((name) => !/^(host|connection|content-length)$/i.test(name!)),
    );
    expect(valueOf(attempt.request.headers, 'token')).toBe('***');
    expect((await api.call('GET', attempt.request.body.href)).text).toBe(body.toString());
  });

  it('shows no credential, in what was sent or in what the receiver made of it', async () => {
    answer = (head) =>
      response(
        '400 Bad',
        head,
        `X-Debug: ${encodeURIComponent(head)}`,
        `X-Token: ${/^token: (.*)$/m.exec(head)![1]!}`,
      );
    const delivery = await exchanged('echoed');
    const attempt = await attemptOf(delivery);
    expect(JSON.stringify(attempt)).not.toContain(TOKEN);
    expect(valueOf(attempt.response.headers, 'X-Token')).toBe('***');
    expect(valueOf(attempt.response.headers, 'X-Debug')).toContain('***');
    const [row] = await api.platform.sql<{ kept: string }>(
      'SELECT a::text AS kept FROM attempts a WHERE delivery_id = $1',
      [delivery],
    );
    expect(row!.kept).not.toContain(TOKEN);
  });

  it('keeps whatever bytes come for headers, as text and bounded', async () => {
    const latin1 = Buffer.from('X-Latin1: jo\xe3o \x9b2J\r\n', 'latin1');
    const utf8 = Buffer.from('X-Utf8: joão\u0085\u202e\r\n');
    const many = Array.from({ length: 60 }, (_, n) => `X-Many-${n}: ${'v'.repeat(80)}\r\n`).join('');
    answer = () =>
      Buffer.concat([
        Buffer.from('HTTP/1.1 200 OK\r\n'),
        latin1,
        utf8,
        Buffer.from(`__proto__: x\r\n${many}Content-Length: 0\r\n\r\n`),
      ]);
    const { response: shown } = await attemptOf(await exchanged('hostile'));
    expect(shown.headers.slice(0, 3)).toEqual([
      { name: 'X-Latin1', value: 'joão \ufffd2J' },
      { name: 'X-Utf8', value: 'joão \ufffd' },
      { name: '__proto__', value: 'x' },
    ]);
    expect(shown.headersCut).toBe(true);
    expect(JSON.stringify(shown.headers).length).toBeLessThan(8_000);
  });

  it('has no response where none came', async () => {
    answer = () => 'SMTP ready\r\n';
    const attempt = await attemptOf(await exchanged('silent'));
    expect(attempt).toMatchObject({ outcome: 'protocol', httpStatus: null, response: null });
    expect(attempt.request.headers.length).toBeGreaterThan(5);
  });

  it('from before headers were kept shows what is known of it', async () => {
    answer = () => response('200 OK', 'thanks');
    const delivery = await exchanged('before');
    await api.platform.sql(
      'UPDATE attempts SET request_headers = NULL, response_headers = NULL WHERE delivery_id = $1',
      [delivery],
    );
    expect(await attemptOf(delivery)).toMatchObject({
      request: { headers: null, body: { bytes: expect.any(Number) } },
      response: { httpStatus: 200, headers: null, headersCut: false, text: 'thanks' },
    });
  });
});
