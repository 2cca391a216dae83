import { expect, it } from '@jest/globals';
import { contractNamed } from '#contracts/registry.js';
import { gzipSync } from 'node:zlib';
import { BODY_SIZES, CONTRACT, deliveredBody, publishBody } from './event-bodies.js';

it.each(Object.values(BODY_SIZES))('a receiver gets exactly $bytes bytes ($label)', (size) => {
  const { type, id, data } = JSON.parse(publishBody('one', size)) as Record<string, string>;
  const built = contractNamed(CONTRACT).buildEvent({
    application: { id: 'one', attributes: {}, environment: 'production' },
    type: type!,
    publicId: id!,
    occurredAt: null,
    acceptedAt: new Date('2026-01-15T12:00:00Z'),
    dataJson: JSON.stringify(data),
  });
  expect(built.ok && built.event.body.toString()).toBe(deliveredBody(size));
  expect(built.ok && built.event.body.length).toBe(size.bytes);
});

it('compresses like a document, not like a repeated letter', () => {
  const share = gzipSync(deliveredBody(BODY_SIZES.large)).length / BODY_SIZES.large.bytes;
  expect(share).toBeGreaterThan(0.2);
  expect(share).toBeLessThan(0.6);
});
