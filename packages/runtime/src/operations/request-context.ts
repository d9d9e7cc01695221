import type { ProtocolVersion } from '@holdword/protocol';
import type { Owner } from '../owner.ts';
import type { TraceContext } from '../observe/tracing.ts';

/** The context of an incoming request: who calls and how, the same for every binding. */
export interface RequestContext {
  readonly owner: Owner;
  /**
   * The client's version of A2A. Push notifications are sent in it.
   * @default '1.0'
   */
  readonly version?: ProtocolVersion;
  /** The extension URIs that the client declared. */
  readonly extensions: ReadonlySet<string>;
  /** From the `Idempotency-Key` header or metadata. */
  readonly idempotencyKey?: string;
  /**
   * From `Last-Event-ID` or the service parameter of the resume extension: the last sequence number that the client
   * received.
   */
  readonly resumeAfter?: number;
  /** From `traceparent` and `tracestate`. */
  readonly trace?: TraceContext;
  /** Fires when the client disconnects. That ends waiting and streaming, never the task. */
  readonly signal: AbortSignal;
}
