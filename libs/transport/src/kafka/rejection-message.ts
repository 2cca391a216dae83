import type { IHeaders, Message } from 'kafkajs';
import type { RejectedRecord } from '#domain/event-record.js';

const MAX_DETAIL_LENGTH = 4_000;

/** The record as it came, with why it is no event, and where it stood: `topic/partition/offset`. */
export function rejectionMessage({ record, code, detail }: RejectedRecord): Message {
  const headers = Object.create(null) as Record<string, (string | Buffer)[]>;
  for (const [name, value] of record.headers) (headers[name] ??= []).push(value);
  headers['entrega-error-code'] = [code];
  headers['entrega-error-detail'] = [detail.slice(0, MAX_DETAIL_LENGTH)];
  headers['entrega-origin'] = [`${record.topic}/${record.partition}/${record.offset}`];
  return { key: record.key, value: record.value, headers };
}

/** For one whose value the topic does not take. */
export function withoutValue(message: Message): Message {
  const headers: IHeaders = { ...message.headers, 'entrega-value-omitted': 'too large for this topic' };
  return { ...message, value: null, headers };
}
