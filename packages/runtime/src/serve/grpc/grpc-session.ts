import type { ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import type { Caller } from '../auth/authentication.ts';
import { SdkSession } from '../sdk-session.ts';
import type { ServiceParameters } from '../service-parameters.ts';
import type { FailedCalls } from './failed-calls.ts';

export type GrpcCall = ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>;

/** What the calls of one gRPC server share. */
export interface GrpcSurroundings {
  readonly failedCalls: FailedCalls;
  /** Fires when the server stops: streams end, unary calls go on. */
  readonly stopping: AbortSignal;
}

/** A call over gRPC. */
export class GrpcSession extends SdkSession {
  override readonly signal: AbortSignal;
  readonly #call: GrpcCall;
  readonly #failedCalls: FailedCalls;

  constructor(caller: Caller, parameters: ServiceParameters, call: GrpcCall, around: GrpcSurroundings) {
    super(caller, parameters);
    const gone = new AbortController();
    if (call.cancelled) gone.abort();
    else call.once('cancelled', () => gone.abort());
    this.signal = isStream(call) ? AbortSignal.any([gone.signal, around.stopping]) : gone.signal;
    this.#call = call;
    this.#failedCalls = around.failedCalls;
  }

  override fail(error: unknown): void {
    this.#failedCalls.note(this.#call.metadata, error);
  }

  override async hasRoom(): Promise<void> {
    const call = this.#call;
    const { signal } = this;
    if (!isStream(call) || !call.writableNeedDrain || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        call.off('drain', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      call.on('drain', done);
      signal.addEventListener('abort', done);
    });
  }
}

function isStream(call: GrpcCall): call is ServerWritableStream<unknown, unknown> {
  return 'writable' in call;
}
