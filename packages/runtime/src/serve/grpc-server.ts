import { once } from 'node:events';
import { createServer } from 'node:net';
import {
  Metadata,
  type MethodDefinition,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  status,
  type StatusObject,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { listenError } from '@holdword/net/internal';
import { A2AError, isA2AError, type OperationName, type ProtocolVersion } from '@holdword/protocol';
import {
  coreErrorToV03,
  decodeOperation,
  ERROR_TABLE,
  EXTENSIONS_PARAMETER,
  GRPC_STATUS_DETAILS_TRAILER,
  isStreaming,
  OPERATION_NAMES,
  OPERATIONS,
  OWN_EXTENSIONS,
  Timer,
  toGrpcStatus,
  toPublicError,
  VERSION_PARAMETER,
} from '@holdword/protocol/internal';
import { grpcProcedure, type GrpcProcedure } from '@holdword/protocol/internal/grpc';
import { DEFAULT_LIMITS, DEFAULT_V03_BLOCKING } from '../defaults.ts';
import type { Log } from '../log.ts';
import { type Observer, RequestObservation } from '../observe/observer.ts';
import type { Operations } from '../operations/operations.ts';
import { hostAndPort } from './addresses.ts';
import { type Admission, admitRequest } from './admission.ts';
import type { Authentication, RequestHeaders } from './auth/authentication.ts';
import { type ClientConnection, dispatch, type DispatchResult, type DispatchTarget } from './dispatch.ts';
import type { Limits } from './limits.ts';
import { logFailure } from './respond.ts';
import { type ExtendedCardSource, withExtendedCard } from './served-card.ts';
import { requestedVersion } from './service-parameters.ts';

export interface GrpcServerOptions {
  operations: Operations;
  /** The card for authenticated callers. There is none without it. */
  extendedCard?: ExtendedCardSource | undefined;
  host: string;
  /** The port; 0 picks a free one. */
  port: number;
  authentication: Authentication;
  admission: Admission;
  limits?: Limits | undefined;
  /** @default true */
  v03Blocking?: boolean | undefined;
  log: Log;
  observer: Observer;
}

export interface GrpcServer {
  readonly port: number;
  /** Accepts no more calls, ends streams, waits for calls in progress, and closes them after the grace period. */
  close(graceMilliseconds: number): Promise<void>;
}

/** What the calls of one server share. */
interface CallContext extends DispatchTarget {
  readonly authentication: Authentication;
  readonly log: Log;
  readonly observer: Observer;
  /** How long a reader may accept nothing before its stream is closed. */
  readonly stalledStreamSeconds: number;
  /** Fires when the server stops: streams end, unary calls continue. */
  readonly stopping: AbortSignal;
}

/**
 * Serves the operations over gRPC, with the services of A2A 1.0 and 0.3. The SDK provides the messages; its services
 * know only the SDK's errors and interfaces, so calls are handled here.
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const { bodyBytes, keepAliveSeconds, stalledStreamSeconds } = { ...DEFAULT_LIMITS, ...options.limits };
  const stopping = new AbortController();
  const server = new Server({
    'grpc.max_receive_message_length': bodyBytes,
    'grpc.keepalive_time_ms': keepAliveSeconds * 1000,
  });
  const context: CallContext = {
    ...options,
    operations: withExtendedCard(options.operations, options.extendedCard),
    disabledOperations: new Set(),
    v03Blocking: options.v03Blocking ?? DEFAULT_V03_BLOCKING,
    stalledStreamSeconds,
    stopping: stopping.signal,
  };
  addService(server, '1.0', context);
  addService(server, '0.3', context);
  const port = await bind(server, options.host, options.port);
  return {
    port,
    async close(graceMilliseconds) {
      stopping.abort();
      const cutOff = new Timer(graceMilliseconds, () => server.forceShutdown());
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      cutOff[Symbol.dispose]();
    },
  };
}

async function bind(server: Server, host: string, port: number): Promise<number> {
  const refused = (error: unknown): Error => listenError(error, host, port, 'gRPC, --grpc-port');
  await tryPort(host, port).catch((error: unknown) => {
    throw refused(error);
  });
  return new Promise((resolve, reject) => {
    server.bindAsync(hostAndPort(host, port), ServerCredentials.createInsecure(), (error, boundPort) => {
      if (error) reject(refused(error));
      else resolve(boundPort);
    });
  });
}

/** The library prints a message itself if it cannot bind a port, so it is given a free one. */
async function tryPort(host: string, port: number): Promise<void> {
  const probe = createServer().listen(port, host);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

function addService(server: Server, version: ProtocolVersion, context: CallContext): void {
  const definition: Record<string, MethodDefinition<Buffer, Buffer>> = {};
  const implementation: Record<string, UntypedHandleCall> = {};
  for (const operation of OPERATION_NAMES) {
    if (version === '0.3' && OPERATIONS[operation].v03 === undefined) continue;
    const procedure = grpcProcedure(operation, version);
    definition[operation] = bytesMethod(procedure.path, isStreaming(operation));
    const served: ServedProcedure = { operation, version, procedure, context };
    implementation[operation] = isStreaming(operation)
      ? (call: StreamCall) => void answerStream(served, call)
      : (call: UnaryCall, callback: sendUnaryData<Buffer>) => void answerUnary(served, call, callback);
  }
  server.addService(definition, implementation);
}

/** Messages are decoded by the code that answers, because the library reports malformed ones as internal errors. */
function bytesMethod(path: string, responseStream: boolean): MethodDefinition<Buffer, Buffer> {
  return {
    path,
    requestStream: false,
    responseStream,
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
}

function same(bytes: Buffer): Buffer {
  return bytes;
}

type UnaryCall = ServerUnaryCall<Buffer, Buffer>;
type StreamCall = ServerWritableStream<Buffer, Buffer>;

interface ServedProcedure {
  readonly operation: OperationName;
  readonly version: ProtocolVersion;
  readonly procedure: GrpcProcedure;
  readonly context: CallContext;
}

async function answerUnary(
  served: ServedProcedure,
  call: UnaryCall,
  callback: sendUnaryData<Buffer>,
): Promise<void> {
  const observation = observe(served, call);
  const client = new GrpcConnection(call);
  try {
    const result = await dispatchCall(served, call, observation, client);
    const bytes = served.procedure.encodeResponse('value' in result ? result.value : undefined);
    observation.end();
    call.sendMetadata(client.metadata);
    callback(null, bytes);
  } catch (error) {
    callback(failed(served, observation, error));
  }
}

async function answerStream(served: ServedProcedure, call: StreamCall): Promise<void> {
  const { procedure, context } = served;
  const observation = observe(served, call);
  const client = new GrpcConnection(call, context.stopping);
  const { signal } = client;
  let release: (() => void) | undefined;
  try {
    const result = await dispatchCall(served, call, observation, client);
    if (!('stream' in result)) throw new Error(`${served.operation} returned no stream`);
    ({ release } = result);
    call.sendMetadata(client.metadata);
    for await (const batch of result.stream) {
      for (const { json } of batch) {
        const hasRoom = call.write(procedure.encodeResponse(JSON.parse(json)));
        if (!hasRoom && !signal.aborted) await drained(call, signal, context.stalledStreamSeconds);
      }
      if (signal.aborted) break;
    }
    const { reason }: { reason: unknown } = signal;
    if (isA2AError(reason)) throw reason;
    observation.end();
    call.end();
  } catch (error) {
    call.emit('error', failed(served, observation, error));
  } finally {
    release?.();
  }
}

/** Admits a call, decodes its request and dispatches the operation. */
async function dispatchCall(
  { operation, version, procedure, context }: ServedProcedure,
  call: UnaryCall | StreamCall,
  observation: RequestObservation,
  client: ClientConnection,
): Promise<DispatchResult> {
  const headers = headersOf(call.metadata);
  const caller = await admitRequest(context, observation, headers);
  if (headers[VERSION_PARAMETER.toLowerCase()] !== undefined) {
    requireVersion(version, requestedVersion(headers, ''));
  }
  const decoded = decodeOperation(operation, readRequest(procedure, call.request));
  return dispatch(context, { caller, observation, headers, client }, decoded, decoded.request.tenant);
}

function readRequest(procedure: GrpcProcedure, bytes: Buffer): unknown {
  try {
    return procedure.decodeRequest(bytes);
  } catch (error) {
    if (isA2AError(error)) throw error;
    throw new A2AError('PARSE_ERROR', 'The request is not the protobuf message of this procedure.');
  }
}

/** The service has its version in its name. Metadata with a different version is a mistake. */
function requireVersion(served: ProtocolVersion, asked: ProtocolVersion): void {
  if (asked === served) return;
  throw new A2AError(
    'VERSION_NOT_SUPPORTED',
    `This gRPC service is A2A ${served}, but the metadata asks for ${asked}. Call the service of that version.`,
    { metadata: { supportedVersions: served } },
  );
}

/** Metadata as header fields, without binary entries: the server reads none. */
function headersOf(metadata: Metadata): RequestHeaders {
  const headers: Record<string, string[]> = {};
  for (const name of Object.keys(metadata.getMap())) {
    headers[name] = metadata.get(name).filter((value) => typeof value === 'string');
  }
  return headers;
}

function observe({ version, context }: ServedProcedure, call: UnaryCall | StreamCall): RequestObservation {
  const observation = new RequestObservation(context.observer, 'GRPC', {
    /** Read only if it is logged. */
    get remoteAddress() {
      return call.getPeer();
    },
  });
  observation.version = version;
  return observation;
}

/** Ends the observation of a call, and returns the status that ends the call, with its details for programs. */
function failed(
  { operation, version, context }: ServedProcedure,
  observation: RequestObservation,
  thrown: unknown,
): StatusObject {
  const error = version === '0.3' ? coreErrorToV03(thrown, { wire: 'GRPC', operation }) : thrown;
  observation.end(error);
  logFailure(context.log, error);
  const known = toPublicError(error);
  const metadata = new Metadata();
  metadata.set(GRPC_STATUS_DETAILS_TRAILER, Buffer.from(toGrpcStatus(known).details));
  return { code: status[ERROR_TABLE[known.code].grpc], details: known.message, metadata };
}

class GrpcConnection implements ClientConnection {
  readonly signal: AbortSignal;
  /** Sent before the response. */
  readonly metadata = new Metadata();
  readonly #gone = new AbortController();

  /** A stream also ends when the server stops. */
  constructor(call: UnaryCall | StreamCall, stopping?: AbortSignal) {
    const gone = this.#gone;
    if (call.cancelled) gone.abort();
    else call.once('cancelled', () => gone.abort());
    this.signal = stopping === undefined ? gone.signal : AbortSignal.any([gone.signal, stopping]);
  }

  abort(reason?: A2AError): void {
    this.#gone.abort(reason);
  }

  activate(extensions: ReadonlySet<string>): void {
    const active = OWN_EXTENSIONS.filter((extension) => extensions.has(extension));
    if (active.length > 0) this.metadata.set(EXTENSIONS_PARAMETER, active.join(','));
  }
}

/** Resolves when the reader can accept another event, or is gone (J5). Rejects if it stalls. */
function drained(call: StreamCall, signal: AbortSignal, stalledSeconds: number): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const done = (): void => {
      clearTimeout(timer);
      call.off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(() => {
      reject(
        new A2AError(
          'UNAVAILABLE',
          'The stream was closed because its reader stalled. Subscribe again with the last sequence number.',
        ),
      );
      done();
    }, stalledSeconds * 1000);
    call.on('drain', done);
    signal.addEventListener('abort', done);
  });
}
