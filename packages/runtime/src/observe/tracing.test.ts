import { expect, test } from 'vitest';
import { readTraceContext, traceIdsOf, writeTraceparent } from './tracing.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const PARENT = `00-${TRACE}-${SPAN}-01`;

test('reads the header fields', () => {
  expect(readTraceContext(PARENT, 'vendor=1')).toEqual({ traceparent: PARENT, tracestate: 'vendor=1' });
  expect(readTraceContext(PARENT, undefined)).toEqual({ traceparent: PARENT });
  expect(traceIdsOf({ traceparent: PARENT })).toEqual({ traceId: TRACE, spanId: SPAN, flags: 1 });
});

test.each([
  undefined,
  '',
  'nonsense',
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `ff-${TRACE}-${SPAN}-01`,
  `${PARENT}-more`,
])('treats %j as absent', (traceparent) => {
  expect(readTraceContext(traceparent, 'vendor=1')).toBeUndefined();
});

test('accepts what a later version adds', () => {
  expect(traceIdsOf({ traceparent: `01-${TRACE}-${SPAN}-01-more` })?.traceId).toBe(TRACE);
});

test('omits a state that is too long to pass on', () => {
  expect(readTraceContext(PARENT, 'x'.repeat(513))).toEqual({ traceparent: PARENT });
});

test('writes what it reads', () => {
  expect(writeTraceparent({ traceId: TRACE, spanId: SPAN, flags: 1 })).toBe(PARENT);
});
