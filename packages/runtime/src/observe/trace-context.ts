/** The position of a request in a trace (W3C Trace Context). */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
  readonly flags: number;
}

const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const LONGEST_TRACESTATE = 512;

/** Parses the two header fields. A malformed one is treated as absent, which starts a new trace. */
export function readTraceContext(
  traceparent: string | undefined,
  tracestate: string | undefined,
): TraceContext | undefined {
  if (traceparent === undefined || traceIdsOf({ traceparent }) === undefined) return undefined;
  if (tracestate === undefined || tracestate === '' || tracestate.length > LONGEST_TRACESTATE)
    return { traceparent };
  return { traceparent, tracestate };
}

export function traceIdsOf({ traceparent }: TraceContext): TraceIds | undefined {
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(traceparent) ?? [];
  if (version === undefined || traceId === undefined || spanId === undefined || flags === undefined)
    return undefined;
  const isKnown = version === '00' ? more === undefined : version !== 'ff';
  if (!isKnown || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, flags: Number.parseInt(flags, 16) };
}

export function writeTraceparent({ traceId, spanId, flags }: TraceIds): string {
  return `00-${traceId}-${spanId}-${flags.toString(16).padStart(2, '0')}`;
}
