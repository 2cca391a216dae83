import { describe, expect, it } from '@jest/globals';
import { isSampled, readTraceContext, traceHeaders, traceIdOf } from './trace-context.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const PARENT = `00-${TRACE}-${SPAN}-01`;

describe('readTraceContext', () => {
  it('passes a traceparent and its tracestate on as they came', () => {
    const context = readTraceContext(PARENT, 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7')!;
    expect(traceHeaders(context)).toEqual([
      ['traceparent', PARENT],
      ['tracestate', 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7'],
    ]);
    expect(traceHeaders(readTraceContext(PARENT, undefined)!)).toEqual([['traceparent', PARENT]]);
    expect(traceIdOf(context)).toBe(TRACE);
  });

  it('keeps whether the publisher samples, and no flag that it does not know', () => {
    const flagged = (flags: string) => readTraceContext(`00-${TRACE}-${SPAN}-${flags}`, undefined)!;
    expect([isSampled(flagged('00')), isSampled(flagged('01')), isSampled(flagged('02'))]).toEqual([
      false,
      true,
      false,
    ]);
    expect(traceHeaders(flagged('ff'))).toEqual([['traceparent', `00-${TRACE}-${SPAN}-03`]]);
  });

  it('reads a later version by the parts that it knows', () => {
    expect(readTraceContext(`cc-${TRACE}-${SPAN}-01-what-the-future-brings`, undefined)).toBe(PARENT);
    expect(readTraceContext(`cc-${TRACE}-${SPAN}-01`, undefined)).toBe(PARENT);
  });

  it.each([
    ['no such header', undefined],
    ['empty', ''],
    ['upper case', PARENT.toUpperCase()],
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['more than version 00 has', `${PARENT}-more`],
    ['a later version with something glued on', `cc-${TRACE}-${SPAN}-01x`],
    ['trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['no flags', `00-${TRACE}-${SPAN}`],
    ['two headers joined', `${PARENT}, ${PARENT}`],
    ['blanks around', ` ${PARENT}`],
  ])('ignores a traceparent that is not valid: %s', (_, traceparent) => {
    expect(readTraceContext(traceparent, 'congo=1')).toBeNull();
  });

  it.each([
    ['longer than all must pass on', `a=${'x'.repeat(511)}`],
    ['control characters', 'a=1\r\nX-Injected: 1'],
    ['beyond ASCII', 'a=é'],
    ['empty', ''],
  ])('drops a tracestate and keeps the trace: %s', (_, tracestate) => {
    expect(readTraceContext(PARENT, tracestate)).toBe(PARENT);
  });
});
