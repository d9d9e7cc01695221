import {
  context,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type ContextManager,
  type Span,
  type SpanContext,
  type SpanKind,
  type SpanOptions,
  type SpanStatus,
  type Tracer,
} from '@opentelemetry/api';
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, beforeEach } from 'vitest';

export interface RecordedSpan {
  readonly name: string;
  readonly kind: SpanKind | undefined;
  readonly attributes: Attributes;
  readonly context: SpanContext;
  readonly parent: SpanContext | undefined;
  status: SpanStatus | undefined;
  ended: boolean;
}

/** A tracer that keeps its spans, installed as a host would install an SDK, for the tests of one group. */
export function recordSpans(): readonly RecordedSpan[] {
  const spans: RecordedSpan[] = [];
  let count = 0;
  const startSpan = (name: string, options: SpanOptions = {}, around: Context = context.active()): Span => {
    const parent = trace.getSpanContext(around);
    count += 1;
    const recorded: RecordedSpan = {
      name,
      kind: options.kind,
      attributes: { ...options.attributes },
      parent,
      context: {
        traceId: parent?.traceId ?? count.toString(16).padStart(32, 'a'),
        spanId: count.toString(16).padStart(16, 'b'),
        traceFlags: TraceFlags.SAMPLED,
        ...(parent?.traceState && { traceState: parent.traceState }),
      },
      status: undefined,
      ended: false,
    };
    spans.push(recorded);
    return spanOver(recorded);
  };
  const tracer: Tracer = {
    startSpan,
    startActiveSpan: () => {
      throw new Error('Not needed here.');
    },
  };
  beforeAll(() => {
    trace.setGlobalTracerProvider({ getTracer: () => tracer });
    context.setGlobalContextManager(localContexts());
  });
  beforeEach(() => void spans.splice(0));
  afterAll(() => {
    trace.disable();
    context.disable();
  });
  return spans;
}

function spanOver(recorded: RecordedSpan): Span {
  const span: Span = {
    spanContext: () => recorded.context,
    isRecording: () => !recorded.ended,
    setAttribute: () => span,
    setAttributes: (attributes) => {
      Object.assign(recorded.attributes, attributes);
      return span;
    },
    addEvent: () => span,
    addLink: () => span,
    addLinks: () => span,
    updateName: () => span,
    recordException: () => {},
    setStatus: (status) => {
      recorded.status = status;
      return span;
    },
    end: () => {
      recorded.ended = true;
      recorded.status ??= { code: SpanStatusCode.UNSET };
    },
  };
  return span;
}

function localContexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (around, action, self, ...words) => storage.run(around, () => action.call(self, ...words)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}
