import { InProcessTransport } from '#transport/in-process/in-process-transport.js';
import type { Announcement } from '#transport/transport.js';
import { describeTransport } from './conformance.js';

describeTransport('InProcessTransport', () => {
  const announced: Announcement[] = [];
  const transport = new InProcessTransport((announcement) => announced.push(announcement));
  return Promise.resolve({
    sender: transport,
    receiver: transport,
    announced: () => Promise.resolve(announced),
    close: () => transport.close(),
  });
});
