/** A span as a collector reads it; ids in hexadecimal, an absent parent as an empty text. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Span ids of its links. */
  readonly links: readonly string[];
  readonly service: string;
}

type Field = Buffer | bigint;

/**
 * The spans of an export request. Numbers of fields are those of `opentelemetry/proto/trace/v1/trace.proto`, read here
 * by no code of the exporter's.
 */
export function otlpSpans(body: Buffer): OtlpSpan[] {
  const hex = (value: Field | undefined) => (Buffer.isBuffer(value) ? value.toString('hex') : '');
  return messages(body, 1).flatMap((resourceSpans) => {
    const resource = messages(resourceSpans, 1).flatMap((message) => messages(message, 1));
    const service = String(attributesOf(resource)['service.name']);
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => {
        const fields = fieldsOf(span);
        const first = (number: number) => fields.find(([key]) => key === number)?.[1];
        return {
          traceId: hex(first(1)),
          spanId: hex(first(2)),
          parentSpanId: hex(first(4)),
          name: String(first(5)),
          attributes: attributesOf(messages(span, 9)),
          links: messages(span, 13).map((link) => hex(fieldsOf(link).find(([key]) => key === 2)?.[1])),
          service,
        };
      });
  });
}

function attributesOf(pairs: readonly Buffer[]): Record<string, string | number> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [[, key] = [], [, value] = []] = fieldsOf(pair);
      const [[, content] = []] = fieldsOf(value as Buffer);
      return [String(key), typeof content === 'bigint' ? Number(content) : String(content)];
    }),
  );
}

function messages(message: Buffer, number: number): Buffer[] {
  return fieldsOf(message).flatMap(([key, value]) =>
    key === number && Buffer.isBuffer(value) ? [value] : [],
  );
}

/** Every field of a message in order: bytes, or a number. */
function fieldsOf(message: Buffer): [number: number, value: Field][] {
  const fields: [number, Field][] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = BigInt(message[at++]!);
      value |= (byte & 0x7fn) << shift;
      if (byte < 0x80n) return value;
    }
  };
  const bytes = (length: number): Buffer => message.subarray(at, (at += length));
  while (at < message.length) {
    const tag = Number(varint());
    const read = [varint, () => bytes(8), () => bytes(Number(varint())), , , () => bytes(4)][tag & 7];
    if (!read) throw new Error(`There is no wire type ${tag & 7}: this is no protobuf message.`);
    fields.push([tag >> 3, read()]);
  }
  return fields;
}
