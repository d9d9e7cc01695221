import type { ServerHttp2Stream } from 'node:http2';
import {
  Metadata,
  ServerInterceptingCall,
  type ServerInterceptingCallInterface,
  type ServerInterceptor,
  status,
  type StatusObject,
} from '@grpc/grpc-js';
import { A2AError, type OperationName, type ProtocolVersion } from '@holdword/protocol';
import {
  coreErrorToV03,
  ERROR_TABLE,
  GRPC_STATUS_DETAILS_TRAILER,
  specErrorName,
  toGrpcStatus,
  toPublicError,
  VERSION_PARAMETER,
} from '@holdword/protocol/internal';
import type { Log } from '../log.ts';
import { type Observer, RequestObservation } from '../observe/observer.ts';
import { type Admission, admitRequest } from './admission.ts';
import type { Authentication, Caller, RequestHeaders } from './auth/authentication.ts';
import type { RemoteEnd } from './grpc-listener.ts';
import { logFailure } from './log-failure.ts';
import { cutOff, tooLarge } from './request-body.ts';
import { requestedVersion } from './service-parameters.ts';

/** A procedure of a service. */
export interface Procedure {
  readonly operation: OperationName;
  readonly version: ProtocolVersion;
}

/** A call that was admitted. */
export interface AdmittedCall {
  readonly caller: Caller;
  readonly headers: RequestHeaders;
  readonly observation: RequestObservation;
  /** What its answer is written to. The library does not offer it. */
  readonly stream: ServerHttp2Stream | undefined;
}

export interface CallAdmissionOptions {
  authentication: Authentication;
  admission: Admission;
  /** The procedures by their paths. */
  procedures: ReadonlyMap<string, Procedure>;
  /** The maximum size of a message. */
  bodyBytes: number;
  /** How long a client may take to send a whole request. */
  requestSeconds: number;
  /** Is told of each request, when its headers have arrived. */
  requestArrived: (remote: RemoteEnd) => void;
  log: Log;
  observer: Observer;
}

/**
 * Admits gRPC calls by their metadata (J13).
 *
 * Responsible for what happens before a call is answered: nothing of its message is read until its caller is admitted, and
 * a message that does not arrive whole in time, or is too large, ends the call. Leaves admitted calls to their handlers.
 */
export class CallAdmission {
  readonly #options: CallAdmissionOptions;
  /** The metadata is what the library hands from the interceptor to the handler of a call. */
  readonly #admitted = new WeakMap<Metadata, AdmittedCall>();

  constructor(options: CallAdmissionOptions) {
    this.#options = options;
  }

  /** To be the only interceptor of the server. */
  readonly interceptor: ServerInterceptor = ({ path }, call) => {
    const { bodyBytes, requestSeconds, requestArrived, observer } = this.#options;
    const procedure = this.#options.procedures.get(path);
    if (procedure === undefined) throw new Error(`Unknown procedure ${path}`);
    const remote = call.getConnectionInfo();
    requestArrived(remote);
    const observation = new RequestObservation(observer, 'GRPC', remote);
    observation.version = procedure.version;
    const reject = (error: unknown): void => call.sendStatus(this.failure(procedure, observation, error));
    let hasArrived = false;
    let timeout: NodeJS.Timeout | undefined;
    explainTooLarge(call, () => this.failure(procedure, observation, tooLarge(bodyBytes)));
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, proceed) => {
            timeout = setTimeout(() => reject(tooSlow(requestSeconds)), requestSeconds * 1000);
            this.#admit(procedure, observation, metadata, call).then(() => proceed(metadata), reject);
          },
          onReceiveHalfClose: (proceed) => {
            hasArrived = true;
            clearTimeout(timeout);
            proceed();
          },
          onCancel: () => {
            clearTimeout(timeout);
            if (hasArrived) return;
            observation.end(cutOff());
            resetStream(call);
          },
        }),
    });
  };

  /** What is known of a call that has reached its handler. */
  of({ metadata }: { readonly metadata: Metadata }): AdmittedCall {
    const admitted = this.#admitted.get(metadata);
    if (admitted === undefined) throw new Error('A call has reached its handler without being admitted');
    return admitted;
  }

  /** Ends the observation of a call, and returns the status that ends the call, with its details for programs. */
  failure({ operation, version }: Procedure, observation: RequestObservation, thrown: unknown): StatusObject {
    const error = version === '0.3' ? coreErrorToV03(thrown, { wire: 'GRPC', operation }) : thrown;
    observation.end(error);
    logFailure(this.#options.log, error);
    const known = toPublicError(error);
    const metadata = new Metadata();
    metadata.set(GRPC_STATUS_DETAILS_TRAILER, Buffer.from(toGrpcStatus(known).details));
    // Clients of 0.3 recognize errors by the name before the message.
    const details = version === '0.3' ? `${specErrorName(known.code)}: ${known.message}` : known.message;
    return { code: status[ERROR_TABLE[known.code].grpc], details, metadata };
  }

  async #admit(
    { version }: Procedure,
    observation: RequestObservation,
    metadata: Metadata,
    call: ServerInterceptingCallInterface,
  ): Promise<void> {
    const headers = headersOf(metadata);
    const caller = await admitRequest(this.#options, observation, headers);
    if (headers[VERSION_PARAMETER.toLowerCase()] !== undefined) {
      observation.version = servedVersion(version, requestedVersion(headers, ''));
    }
    this.#admitted.set(metadata, { caller, headers, observation, stream: streamOf(call) });
  }
}

/** Metadata as header fields, without binary entries: the server reads none. */
function headersOf(metadata: Metadata): RequestHeaders {
  const headers: Record<string, string[]> = {};
  for (const name of Object.keys(metadata.getMap())) {
    headers[name] = metadata.get(name).filter((value) => typeof value === 'string');
  }
  return headers;
}

/**
 * The version of a call. The service has its version in its name, which 1.1 shares with 1.0. Metadata with a different one is a
 * mistake.
 */
function servedVersion(served: ProtocolVersion, asked: ProtocolVersion): ProtocolVersion {
  if (asked === served || (served === '1.0' && asked === '1.1')) return asked;
  throw new A2AError(
    'VERSION_NOT_SUPPORTED',
    `This gRPC service is A2A ${served}, but the metadata asks for ${asked}. Call the service of that version.`,
    { metadata: { supportedVersions: served } },
  );
}

/** The library ends a call whose message is too large by itself, without details for programs. */
function explainTooLarge(call: ServerInterceptingCallInterface, explained: () => StatusObject): void {
  const send = call.sendStatus.bind(call);
  call.sendStatus = (sent) => {
    const isBare = sent.code === status.RESOURCE_EXHAUSTED && !sent.metadata;
    send(isBare ? explained() : sent);
  };
}

/**
 * A call that was ended before its request had arrived stays open until the client ends it, too. Such clients are not waited
 * for: the stream would count and take data for as long as they like.
 */
function resetStream(call: ServerInterceptingCallInterface): void {
  const stream = streamOf(call);
  // After the status that was just sent.
  setImmediate(() => stream?.close());
}

function streamOf(call: ServerInterceptingCallInterface): ServerHttp2Stream | undefined {
  return (call as { readonly stream?: ServerHttp2Stream }).stream;
}

function tooSlow(seconds: number): A2AError {
  return new A2AError(
    'INVALID_REQUEST',
    `The request did not arrive within ${seconds} seconds. Send it again, without pausing.`,
  );
}
