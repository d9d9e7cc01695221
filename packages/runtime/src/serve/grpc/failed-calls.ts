import {
  ResponderBuilder,
  ServerInterceptingCall,
  ServerListenerBuilder,
  status,
  type Metadata,
  type Responder,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import type { Log } from '../../log.ts';
import { logFailure } from '../respond.ts';
import { serviceError } from './service-error.ts';

type Status = Parameters<NonNullable<Responder['sendStatus']>>[0];

/**
 * Ends failed calls with the status of our error table.
 *
 * Responsible for the last step of a call: the SDK's services know only the SDK's errors, and write the text of any
 * other into the status. The code that serves a call records its error here, under its metadata. Leaves to gRPC the
 * statuses of calls that reach no service, such as those of unknown procedures.
 */
export class FailedCalls {
  readonly #failures = new WeakMap<Metadata, unknown>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  note(metadata: Metadata, error: unknown): void {
    this.#failures.set(metadata, error);
  }

  readonly interceptor: ServerInterceptor = (_, call) => {
    let metadata: Metadata | undefined;
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata((received, next) => {
        metadata = received;
        next(received);
      })
      .build();
    const responder = new ResponderBuilder()
      .withStart((next) => next(listener))
      .withSendStatus((sent, next) => next(this.#statusOf(sent, metadata)))
      .build();
    return new ServerInterceptingCall(call, responder);
  };

  #statusOf(sent: Status, metadata: Metadata | undefined): Status {
    if (sent.code === status.OK) return sent;
    const failure = metadata && this.#failures.get(metadata);
    if (failure === undefined && sent.code !== status.UNKNOWN) return sent;
    const error = failure ?? new Error(sent.details ?? 'a gRPC service failed');
    logFailure(this.#log, error);
    return serviceError(error);
  }
}
