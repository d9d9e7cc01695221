import type { ServerResponse } from 'node:http';
import type { A2AError, ProtocolVersion } from '@holdword/protocol';
import type { Owner } from '../owner.ts';
import type { TraceContext } from '../observe/tracing.ts';
import type { RequestContext } from '../operations/request-context.ts';
import type { ServiceParameters } from './service-parameters.ts';

/** Shared by all: a new error for every closed connection would cost a stack trace each. */
const CLIENT_LEFT = new Error('The client has closed the connection.');

/** The context of a request over HTTP. Its signal is created on first use: most unary requests never need one. */
export class HttpRequestContext implements RequestContext {
  readonly owner: Owner;
  readonly version?: ProtocolVersion;
  readonly extensions: ReadonlySet<string>;
  readonly idempotencyKey?: string;
  readonly resumeAfter?: number;
  readonly trace?: TraceContext;
  /** Releases the slot of a stream. */
  releaseStream: (() => void) | undefined;
  readonly #response: ServerResponse;
  #controller: AbortController | undefined;

  constructor(
    owner: Owner,
    parameters: ServiceParameters,
    response: ServerResponse,
    version?: ProtocolVersion,
  ) {
    this.owner = owner;
    if (version !== undefined) this.version = version;
    this.extensions = parameters.extensions;
    if (parameters.idempotencyKey !== undefined) this.idempotencyKey = parameters.idempotencyKey;
    if (parameters.resumeAfter !== undefined) this.resumeAfter = parameters.resumeAfter;
    if (parameters.trace !== undefined) this.trace = parameters.trace;
    this.#response = response;
  }

  get signal(): AbortSignal {
    return this.#open().signal;
  }

  /**
   * Ends waiting and streaming for this caller, as if the client had disconnected. The client is told the reason, if
   * there is one.
   */
  abort(reason?: A2AError): void {
    this.#open().abort(reason);
  }

  #open(): AbortController {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      this.#controller = controller;
      const onClose = (): void => {
        // After a complete response there is nothing left to abort.
        if (!this.#response.writableFinished) controller.abort(CLIENT_LEFT);
      };
      if (this.#response.closed) onClose();
      else this.#response.once('close', onClose);
    }
    return this.#controller;
  }
}
