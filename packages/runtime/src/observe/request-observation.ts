import {
  isA2AError,
  type A2AErrorCode,
  type OperationName,
  type ProtocolBinding,
  type ProtocolVersion,
} from '@holdword/protocol';
import type { EndedRequest, Observer } from './observer.ts';
import { startRequestSpan, type OpenSpan, type TraceContext } from './tracing.ts';

/** The metadata field of an error that names the exceeded limit. */
export const LIMIT_METADATA = 'limit';

/**
 * One request from its first byte to the end of its response: what is known of it so far, reported to the observer
 * once.
 */
export class RequestObservation implements EndedRequest {
  readonly binding: ProtocolBinding;
  version: ProtocolVersion | undefined;
  operation: OperationName | undefined;
  caller: string | undefined;
  tenant: string | undefined;
  error: A2AErrorCode | undefined;
  limit: string | undefined;
  readonly #observer: Observer;
  readonly #connection: { readonly remoteAddress?: string | undefined };
  readonly #startedAt = Date.now();
  #span: OpenSpan | undefined;
  #ended = false;

  constructor(
    observer: Observer,
    binding: ProtocolBinding,
    connection: { readonly remoteAddress?: string | undefined },
  ) {
    this.#observer = observer;
    this.binding = binding;
    this.#connection = connection;
  }

  get peer(): string | undefined {
    return this.#connection.remoteAddress;
  }

  /** The operation is known now. Returns the trace that the work belongs to. */
  begin(operation: OperationName, tenant: string, trace: TraceContext | undefined): TraceContext | undefined {
    this.operation = operation;
    this.tenant = tenant;
    this.#span = startRequestSpan(operation, {
      parent: trace,
      startedAt: this.#startedAt,
      attributes: {
        'rpc.system': 'a2a',
        'rpc.method': operation,
        'a2a.binding': this.binding,
        'a2a.version': this.version ?? 'unknown',
      },
    });
    return this.#span.trace;
  }

  /** The response is complete, or the request was rejected. */
  end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    if (error !== undefined) {
      this.error = isA2AError(error) ? error.code : 'INTERNAL';
      this.limit = isA2AError(error) ? error.metadata[LIMIT_METADATA] : undefined;
    }
    this.#span?.end(this.error);
    this.#observer.requestEnded?.(this);
  }
}
