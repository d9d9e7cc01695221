import type { Message, OperationName } from '@holdword/protocol';
import { OPERATIONS, type DecodedOperation } from '@holdword/protocol/internal';
import {
  type Attributes,
  context,
  type Context,
  createTraceState,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

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

const NAME = 'holdword';
const TRACER = trace.getTracer(NAME);

export interface OpenSpan {
  /** What to pass on: this span if it is recorded, otherwise the incoming trace. */
  readonly trace: TraceContext | undefined;
  /** Runs the action with this span as the active one, so that spans created inside become its children. */
  run<Result>(action: () => Result): Result;
  /** `failure` names the error in one word. The attributes are those that are only known now. */
  end(failure?: string, attributes?: Attributes): void;
}

interface SpanOptions {
  parent: TraceContext | undefined;
  /** Called only if the span is recorded. */
  attributes: () => Attributes;
  /** Milliseconds since the epoch, if the work started before the name was known. */
  startedAt?: number;
}

/** The span of an incoming request. Costs next to nothing until the host installs an OpenTelemetry SDK. */
export function startRequestSpan(name: string, options: SpanOptions): OpenSpan {
  return startSpan(name, SpanKind.SERVER, options);
}

/** The span of one turn of an agent. */
export function startTurnSpan(options: SpanOptions): OpenSpan {
  return startSpan('turn', SpanKind.INTERNAL, options);
}

/**
 * What a request says, under the names that OpenTelemetry drafts for A2A (open-telemetry/semantic-conventions-genai, pull
 * request 195). They may change until that is accepted; ours do not.
 */
export function draftAttributes(operation: OperationName, request: DecodedOperation['request']): Attributes {
  const { message, contextId } = request as { message?: Partial<Message>; contextId?: string };
  return {
    'a2a.method.name': OPERATIONS[operation].method,
    'a2a.message.id': message?.messageId,
    'a2a.message.reference_task_ids': message?.referenceTaskIds && [...message.referenceTaskIds],
    'gen_ai.conversation.id': message?.contextId ?? contextId,
  };
}

function startSpan(name: string, kind: SpanKind, { parent, attributes, startedAt }: SpanOptions): OpenSpan {
  if (!isTracing()) return unrecorded(parent);
  const around = parent === undefined ? ROOT_CONTEXT : contextOf(parent);
  const span = TRACER.startSpan(
    name,
    { kind, attributes: attributes(), ...(startedAt && { startTime: startedAt }) },
    around,
  );
  if (!span.isRecording()) return unrecorded(parent);
  return {
    trace: traceOf(span),
    run: (action) => context.with(trace.setSpan(around, span), action),
    end(failure, known = {}) {
      span.setAttributes(failure === undefined ? known : { ...known, 'error.type': failure });
      if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
      span.end();
    },
  };
}

/** Whether the host has installed an OpenTelemetry SDK; it may do so at any time. */
function isTracing(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(NAME) !== undefined;
}

function unrecorded(parent: TraceContext | undefined): OpenSpan {
  return { trace: parent, run: runAtOnce, end: doNothing };
}

function runAtOnce<Result>(action: () => Result): Result {
  return action();
}

function doNothing(): void {}

function contextOf(parent: TraceContext): Context {
  const ids = traceIdsOf(parent);
  if (ids === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: ids.traceId,
    spanId: ids.spanId,
    traceFlags: ids.flags,
    isRemote: true,
    ...(parent.tracestate !== undefined && { traceState: createTraceState(parent.tracestate) }),
  });
}

function traceOf(span: Span): TraceContext {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const tracestate = traceState?.serialize();
  return {
    traceparent: writeTraceparent({ traceId, spanId, flags: traceFlags }),
    ...(tracestate && { tracestate }),
  };
}
