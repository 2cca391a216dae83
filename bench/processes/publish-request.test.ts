import { expect, it } from '@jest/globals';
import { BODY_SIZES, publishBatchBody, publishBody } from '../rounds/event-bodies.js';
import { PublishRequest } from './publish-request.js';

const TARGET = { origin: 'http://127.0.0.1:8080', path: '/v1/events/batch', apiKey: 'key' };

function bodyOf(request: Buffer): { events: { id: string; application: string }[]; id?: string } {
  const text = request.toString();
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  expect(Number(/Content-Length: (\d+)/.exec(text)?.[1])).toBe(Buffer.byteLength(body));
  return JSON.parse(body);
}

it('writes the id of each event of a batch, and leaves what was made ahead as it is', () => {
  const request = new PublishRequest(TARGET, publishBatchBody(['one', 'two'], BODY_SIZES.small));
  expect(request.events).toBe(2);
  const [first, later] = [request.bytes(7, 40), request.bytes(7, 42)].map(bodyOf);
  expect(first!.events).toMatchObject([
    { application: 'one', id: 'b0007-00000040' },
    { application: 'two', id: 'b0007-00000041' },
  ]);
  expect(later!.events.map(({ id }) => id)).toEqual(['b0007-00000042', 'b0007-00000043']);
});

it('publishes one event with one id', () => {
  const request = new PublishRequest(TARGET, publishBody('one', BODY_SIZES.large));
  expect(request.events).toBe(1);
  expect(bodyOf(request.bytes(1, 5)).id).toBe('b0001-00000005');
});
