import { expect, it } from '@jest/globals';
import { EVENT_ID_PLACEHOLDER, eventId } from '../rounds/event-id.js';
import { type ReadRequest, RequestReader } from './request-reader.js';

function request(id: string, body: string): string {
  const head = ['POST /hook HTTP/1.1', 'host: 127.0.0.2', `X-Tffiscal-Event-Id: ${id}`];
  return `${head.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

function read(chunks: readonly Buffer[]): ReadRequest[] {
  const requests: ReadRequest[] = [];
  const reader = new RequestReader((one) => requests.push(one));
  for (const chunk of chunks) reader.take(chunk);
  return requests;
}

it('finds the same requests wherever the chunks end', () => {
  const bytes = Buffer.from(request(eventId(3, 17), '{"a":"\r\n\r\n"}') + request(eventId(3, 18), ''));
  for (let cut = 1; cut < bytes.length; cut++) {
    expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual([
      { round: 3, place: 17 },
      { round: 3, place: 18 },
    ]);
  }
});

it('takes a request only when its body is complete', () => {
  const bytes = Buffer.from(request(eventId(1, 2), 'body'));
  expect(read([bytes.subarray(0, -1)])).toEqual([]);
});

it('tells requests that carry no event of the bench', () => {
  expect(read([Buffer.from(request('evt-1', ''))])).toEqual([{ round: -1, place: -1 }]);
});

it('reads ids that have the length of their placeholder', () => {
  expect(eventId(9_999, 99_999_999)).toHaveLength(EVENT_ID_PLACEHOLDER.length);
});
