import type { ServerUnaryCall, ServerWritableStream } from '@grpc/grpc-js';
import { A2AError } from '@holdword/protocol';
import type { Observer } from '../../observe/observer.ts';
import type { RequestObservation } from '../../observe/request-observation.ts';
import type { Admission } from '../admission.ts';
import type { Caller } from '../auth/authentication.ts';
import { SdkSession } from '../sdk-session.ts';
import type { ServiceParameters } from '../service-parameters.ts';
import type { FailedCalls } from './failed-calls.ts';

export type GrpcCall = ServerUnaryCall<unknown, unknown> | ServerWritableStream<unknown, unknown>;

/** What the calls of one gRPC server share. */
export interface GrpcSurroundings {
  readonly failedCalls: FailedCalls;
  readonly admission: Admission;
  readonly observer: Observer;
  /** How long a reader may accept nothing before its stream is closed. */
  readonly stalledStreamSeconds: number;
  /** Fires when the server stops: streams end, unary calls continue. */
  readonly stopping: AbortSignal;
}

/** A call over gRPC. */
export class GrpcSession extends SdkSession {
  override readonly signal: AbortSignal;
  readonly #call: GrpcCall;
  readonly #gone = new AbortController();
  readonly #failedCalls: FailedCalls;
  readonly #stalledMilliseconds: number;

  constructor(
    admitted: { caller: Caller; parameters: ServiceParameters; observation: RequestObservation },
    call: GrpcCall,
    around: GrpcSurroundings,
  ) {
    super(admitted.caller, admitted.parameters, admitted.observation);
    const gone = this.#gone;
    if (call.cancelled) gone.abort();
    else call.once('cancelled', () => gone.abort());
    this.signal = isStream(call) ? AbortSignal.any([gone.signal, around.stopping]) : gone.signal;
    this.#call = call;
    this.#failedCalls = around.failedCalls;
    this.#stalledMilliseconds = around.stalledStreamSeconds * 1000;
  }

  override fail(error: unknown): void {
    this.#failedCalls.note(this.#call.metadata, error);
  }

  override abort(reason: A2AError): void {
    this.#gone.abort(reason);
  }

  override async hasRoom(): Promise<void> {
    const call = this.#call;
    const { signal } = this;
    if (!isStream(call) || !call.writableNeedDrain || signal.aborted) return;
    await new Promise<void>((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        call.off('drain', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(() => {
        reject(stalled());
        done();
      }, this.#stalledMilliseconds);
      call.on('drain', done);
      signal.addEventListener('abort', done);
    });
  }
}

function stalled(): A2AError {
  return new A2AError(
    'UNAVAILABLE',
    'The stream was closed because its reader stalled. Subscribe again with the last sequence number.',
  );
}

function isStream(call: GrpcCall): call is ServerWritableStream<unknown, unknown> {
  return 'writable' in call;
}
