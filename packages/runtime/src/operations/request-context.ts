import type { ProtocolVersion } from '@holdword/protocol';
import type { Owner } from '../executors/executor.ts';
import type { TraceContext } from '../observe/trace-context.ts';

/** Who calls and how, the same for every binding. */
export interface RequestContext {
  readonly owner: Owner;
  /** The version the client speaks; 1.0 where it is not said. Notifications are written in it. */
  readonly version?: ProtocolVersion;
  /** Extension URIs the client declared. */
  readonly extensions: ReadonlySet<string>;
  /** From the `Idempotency-Key` header or metadata. */
  readonly idempotencyKey?: string;
  /** From `Last-Event-ID` or the service parameter of the resume extension: the last sequence number the client has. */
  readonly resumeAfter?: number;
  /** From `traceparent` and `tracestate`. */
  readonly trace?: TraceContext;
  /** Fires when the client has gone away. It ends waiting and streaming, never the task. */
  readonly signal: AbortSignal;
}
