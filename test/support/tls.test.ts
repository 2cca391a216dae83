import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OutboundClient } from '#outbound/outbound-client.js';
import { RecordingReceiver } from './recording-receiver.js';
import { describeWithTls, TestAuthority } from './tls.js';

describeWithTls('an https receiver', () => {
  const outbound = new OutboundClient({ allowPrivateCidrs: ['127.0.0.0/8'] });
  let authority: TestAuthority;
  let receiver: RecordingReceiver;

  beforeAll(async () => {
    authority = await TestAuthority.trusted();
    receiver = await RecordingReceiver.start({ tls: await authority.identity() });
  });

  afterAll(async () => {
    await outbound.close();
    await receiver.stop();
    await authority.withdraw();
  });

  it.each(['127.0.0.1', 'localhost'])(
    'is believed at %s, and sees the request as it was sent',
    async (host) => {
      const result = await outbound.post({
        url: receiver.urlOf('/a?b=%20', host),
        headers: [['X-Casing', 'kept']],
        body: Buffer.from('{}'),
        connectTimeoutMs: 2_000,
        responseTimeoutMs: 2_000,
      });
      expect(result).toMatchObject({ outcome: 'success' });
      expect(receiver.received.at(-1)).toMatchObject({ path: '/a?b=%20', body: Buffer.from('{}') });
    },
  );
});
