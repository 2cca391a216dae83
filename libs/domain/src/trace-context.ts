/** `version-traceid-parentid-flags`; a version after 00 may have more after that (W3C Trace Context, 3.2). */
const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NO_TRACE = '0'.repeat(32);
const NO_SPAN = '0'.repeat(16);
/** Of the flags only those that are defined are passed on: sampled, and that the trace id is random. */
const KNOWN_FLAGS = 0b11;
const SAMPLED = 0b01;

const TRACEPARENT_LENGTH = 55;
/** What every vendor must be able to pass on; more is dropped as a whole. */
const MAX_TRACESTATE_LENGTH = 512;
const TRACESTATE = /^[\x20-\x7e]+$/;

/**
 * The place in a trace that something happened at, as text: a valid `traceparent` of version 00, and after a space
 * the `tracestate`, where there is one. It is kept with an event and passed on unread where nothing is traced.
 */
export type TraceContext = string & { readonly traceContext: unique symbol };

/** Null where `traceparent` is absent or not valid: then nothing was said. A `tracestate` that is not is dropped. */
export function readTraceContext(
  traceparent: string | undefined,
  tracestate: string | undefined,
): TraceContext | null {
  if (traceparent === undefined) return null;
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || traceId === NO_TRACE || spanId === NO_SPAN)
    return null;
  if (version === 'ff' || (version === '00' && more !== undefined)) return null;
  return traceContext({
    traceId,
    spanId,
    flags: Number.parseInt(flags!, 16),
    tracestate: tracestate !== undefined && isPassable(tracestate) ? tracestate : null,
  });
}

export interface TraceContextParts {
  /** 32 hexadecimal digits in lower case. */
  readonly traceId: string;
  /** 16 of them. */
  readonly spanId: string;
  readonly flags: number;
  readonly tracestate: string | null;
}

export function traceContext({ traceId, spanId, flags, tracestate }: TraceContextParts): TraceContext {
  const traceparent = `00-${traceId}-${spanId}-0${flags & KNOWN_FLAGS}`;
  return (tracestate === null ? traceparent : `${traceparent} ${tracestate}`) as TraceContext;
}

export function traceContextParts(context: TraceContext): TraceContextParts {
  return {
    traceId: traceIdOf(context),
    spanId: context.slice(36, 52),
    flags: Number(context.slice(53, TRACEPARENT_LENGTH)),
    tracestate: context.length > TRACEPARENT_LENGTH ? context.slice(TRACEPARENT_LENGTH + 1) : null,
  };
}

export function traceIdOf(context: TraceContext): string {
  return context.slice(3, 35);
}

export function isSampled(context: TraceContext): boolean {
  return (Number(context.slice(53, TRACEPARENT_LENGTH)) & SAMPLED) !== 0;
}

/** The headers that tell the next one of it, in the casing of the recommendation. */
export function traceHeaders(context: TraceContext): readonly (readonly [name: string, value: string])[] {
  const traceparent = ['traceparent', context.slice(0, TRACEPARENT_LENGTH)] as const;
  const { tracestate } = traceContextParts(context);
  return tracestate === null ? [traceparent] : [traceparent, ['tracestate', tracestate]];
}

function isPassable(tracestate: string): boolean {
  return tracestate.length <= MAX_TRACESTATE_LENGTH && TRACESTATE.test(tracestate);
}
