import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cortecloud } from '#contracts/cortecloud/cortecloud.js';
import { EXAMPLE } from '#contracts/cortecloud/vectors.js';
import { tfFiscal } from '#contracts/tf-fiscal/tf-fiscal.js';
import { PAYLOAD_VECTORS } from '#contracts/tf-fiscal/vectors.js';
import { until } from '../support/until.js';
import { missingFor, ReceiverProgram } from './receiver-program.js';

interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const SECRET = 'app-secret-of-the-guide';
const TOKEN = 'token of the guide';
const URL_OF_RECEIVER = "https://erp.example.com:8443/in/%C3%A7?b=2&a=x%20y&z=%C3%A7'(~)&empty";

function describeReceiver(name: string, env: Record<string, string>, tests: (program: Getter) => void): void {
  const missing = missingFor(name);
  const title = missing === null ? name : `${name} (skipped: ${missing})`;
  (missing === null ? describe : describe.skip)(title, () => {
    let program: ReceiverProgram | undefined;
    beforeAll(async () => {
      program = await ReceiverProgram.start(name, env);
    });
    afterAll(() => program?.stop());
    tests(() => program!);
  });
}
type Getter = () => ReceiverProgram;

/** What a receiver must refuse whatever the contract: a body that is not, byte for byte, the one that was signed. */
function otherBodies({ headers, body }: Delivery): Delivery[] {
  const flipped = Buffer.from(body);
  flipped[flipped.length - 4]! ^= 1;
  const rewritten = Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 1));
  return [flipped, Buffer.concat([body, Buffer.from('\n')]), rewritten].map((other) => ({
    headers,
    body: other,
  }));
}

/** The delivery with one header changed; null takes it away. */
function withHeader(
  { headers, body }: Delivery,
  name: string,
  change: (value: string) => string | null,
): Delivery {
  expect(headers).toHaveProperty(name);
  const value = change(headers[name]!);
  const { [name]: _, ...others } = headers;
  return { headers: value === null ? others : { ...others, [name]: value }, body };
}

/** Another last character, of the kind that was there. */
const otherEnd = (value: string) => value.replace(/\w(?=\W*$)/, (last) => (last === '0' ? '1' : '0'));
const gone = () => null;

/** One that the contract itself makes and signs. */
function tfFiscalDelivery(publicId: string, secondsAgo = 0, type = 'cte.event.registered'): Delivery {
  const at = new Date(Date.now() - secondsAgo * 1_000);
  const data = PAYLOAD_VECTORS.find((vector) => vector.type === 'cte.event.registered')!.data;
  const dataJson = data.replace('}', ',"nota":"São Paulo \\u00e7"}');
  const application = { id: 'app', environment: 'production', attributes: {} };
  const built = tfFiscal.buildEvent({
    ...{ application, type: 'cte.event.registered', publicId, occurredAt: at, acceptedAt: at, dataJson },
  });
  if (!built.ok) throw new Error(JSON.stringify(built.problems));
  const { body } = built.event;
  const headers = tfFiscal.headers({
    ...{ url: 'https://erp.example.com/hook', body, eventType: type, publicId, deliveryId: '1', at },
    credentials: { token: TOKEN },
    applicationSecret: SECRET,
  });
  return { headers: Object.fromEntries(headers), body };
}

describe.each(['tf-fiscal-receiver.mjs', 'tf_fiscal_receiver.py', 'TfFiscalReceiver.java'])(
  'the guide',
  (name) => {
    describeReceiver(name, { APP_SECRET: SECRET, TOKEN }, (program) => {
      const answerTo = ({ headers, body }: Delivery) => program().receive(headers, body);

      it('stores each event once and acknowledges every repeat', async () => {
        const [first, second] = [tfFiscalDelivery('evt-1'), tfFiscalDelivery('evt-2')];
        const answers = await Promise.all(
          [first, first, second, tfFiscalDelivery('evt-1', 240)].map(answerTo),
        );
        expect(answers).toEqual([204, 204, 204, 204]);
        await until(() => program().stored.length >= 2);
        expect([...program().stored].sort()).toEqual(['evt-1', 'evt-2']);
      });

      it('acknowledges the test of a URL and stores nothing (TF-05)', async () => {
        expect(await answerTo(tfFiscalDelivery('evt-test', 0, 'webhook.verify'))).toBe(204);
        expect(program().stored).not.toContain('evt-test');
      });

      it('refuses another byte of the body, of a header, and a timestamp that is too old', async () => {
        const delivery = tfFiscalDelivery('evt-forged');
        const refused = [
          ...otherBodies(delivery),
          withHeader(delivery, 'X-Tffiscal-Signature', otherEnd),
          withHeader(delivery, 'X-Tffiscal-Signature', gone),
          withHeader(delivery, 'X-Tffiscal-Timestamp', (at) => String(Number(at) - 1)),
          withHeader(delivery, 'X-Tffiscal-Timestamp', () => 'now'),
          withHeader(delivery, 'token', otherEnd),
          withHeader(delivery, 'token', gone),
          tfFiscalDelivery('evt-forged', 310),
          tfFiscalDelivery('evt-forged', -310),
        ];
        expect(await Promise.all(refused.map(answerTo))).toEqual(refused.map(() => 401));
        expect(program().stored).not.toContain('evt-forged');
      });
    });
  },
);

function cortecloudDelivery(serviceId: number, url = URL_OF_RECEIVER): Delivery & { id: string } {
  const occurredAt = new Date('2026-08-04T12:00:00Z');
  const built = cortecloud.buildEvent({
    application: {
      id: 'app',
      environment: 'production',
      attributes: { companyId: 123, companyInternalCode: 'Central ç' },
    },
    ...{ type: 'service.status_changed', publicId: null, occurredAt, acceptedAt: occurredAt },
    dataJson: `{"service_id":${serviceId},"service_internal_code":"PED-ç","status":6,"old_status":4}`,
  });
  if (!built.ok) throw new Error(JSON.stringify(built.problems));
  const { body, publicId } = built.event;
  const { apiKey, secret, ownKey } = EXAMPLE;
  const headers = cortecloud.headers({
    ...{ url, body, publicId, eventType: 'service.status_changed', deliveryId: '1', at: occurredAt },
    credentials: { apiKey, secret, ownKey },
    applicationSecret: null,
  });
  return { headers: Object.fromEntries(headers), body, id: publicId };
}

const PAIR = { API_KEY: EXAMPLE.apiKey, SECRET: EXAMPLE.secret, OWN_KEY: EXAMPLE.ownKey };

describe.each(['cortecloud-receiver.mjs', 'cortecloud_receiver.py', 'CortecloudReceiver.java'])(
  'the guide',
  (name) => {
    describeReceiver(name, { ...PAIR, WEBHOOK_URL: URL_OF_RECEIVER }, (program) => {
      const answerTo = ({ headers, body }: Delivery) => program().receive(headers, body);

      it('stores each event once and acknowledges every repeat', async () => {
        const [first, second] = [cortecloudDelivery(1), cortecloudDelivery(2)];
        expect(await Promise.all([first, first, second].map(answerTo))).toEqual([204, 204, 204]);
        await until(() => program().stored.length >= 2);
        expect([...program().stored].sort()).toEqual([first.id, second.id].sort());
      });

      it('refuses another byte of the body, of a header, another URL and another pair (CC-31, CC-32, CC-33)', async () => {
        const delivery = cortecloudDelivery(3);
        const refused = [
          ...otherBodies(delivery),
          withHeader(delivery, 'Authorization', otherEnd),
          withHeader(delivery, 'Authorization', (value) => `${value} `.replace('host', 'date')),
          withHeader(delivery, 'Authorization', (value) => value.replace(EXAMPLE.apiKey, 'sb_wk_other')),
          withHeader(delivery, 'Authorization', gone),
          withHeader(delivery, 'X-Webhook-Client-Token', otherEnd),
          withHeader(delivery, 'X-Webhook-Client-Token', gone),
          cortecloudDelivery(3, URL_OF_RECEIVER.replace(':8443', '')),
          cortecloudDelivery(3, URL_OF_RECEIVER.replace('b=2', 'b=3')),
        ];
        expect(await Promise.all(refused.map(answerTo))).toEqual(refused.map(() => 401));
        expect(program().stored).not.toContain(delivery.id);
      });
    });
  },
);
