import {
  Metadata,
  type MethodDefinition,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import { A2AError, isA2AError, type ProtocolVersion } from '@holdword/protocol';
import {
  decodeOperation,
  EXTENSIONS_PARAMETER,
  isStreaming,
  OPERATION_NAMES,
  OPERATIONS,
  Timer,
} from '@holdword/protocol/internal';
import { grpcProcedure, type GrpcProcedure } from '@holdword/protocol/internal/grpc';
import type { AgentDescription } from '../agent-description.ts';
import { DEFAULT_LIMITS, DEFAULT_V03_BLOCKING } from '../defaults.ts';
import type { Log } from '../log.ts';
import type { Observer } from '../observe/observer.ts';
import type { Operations } from '../operations/operations.ts';
import type { Admission } from './admission.ts';
import type { Authentication, Caller } from './auth/authentication.ts';
import { type ClientConnection, dispatch, type DispatchResult, type DispatchTarget } from './dispatch.ts';
import { type AdmittedCall, CallAdmission, type Procedure } from './grpc-admission.ts';
import { GrpcListener } from './grpc-listener.ts';
import { IDLE_MILLISECONDS } from './http-server.ts';
import { UnreadAnswers } from './large-answer.ts';
import type { Limits } from './limits.ts';
import { requireShallow } from './request-body.ts';
import { type ExtendedCardSource, withExtendedCard } from './served-card.ts';
import { ServedExtensions } from './service-parameters.ts';

/** An agent of this server other than its own, as the tenant of a request names it. */
export interface GrpcAgent {
  /** Its operations, limits and extensions. */
  readonly target: Pick<DispatchTarget, 'operations' | 'admission' | 'extensions'>;
  /** The tenant of the caller at that agent. */
  readonly tenant: string;
  /** Throws if the agent does not accept the caller. */
  requireCaller(caller: Caller): void;
}

/** Finds the agent of a gRPC request by its tenant, as `HostedAgents.grpcRoute` does. */
export interface GrpcRoute {
  /**
   * Undefined if the tenant names no agent, so that the request is for the agent of the server.
   * @internal
   */
  (tenant: string): Promise<GrpcAgent | undefined>;
}

export interface GrpcServerOptions {
  /** gRPC has no paths, so that other agents are told apart by the tenant. @default only the agent of the server is served */
  route?: GrpcRoute | undefined;
  operations: Operations;
  /** The card for authenticated callers. There is none without it. */
  extendedCard?: ExtendedCardSource | undefined;
  host: string;
  /** The agent that is served. */
  agent?: AgentDescription | undefined;
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
  readonly calls: CallAdmission;
  readonly route?: GrpcRoute | undefined;
  /** How long a reader may accept nothing before its stream is closed. */
  readonly stalledStreamSeconds: number;
  readonly unread: UnreadAnswers;
  /** Fires when the server stops: streams end, unary calls continue. */
  readonly stopping: AbortSignal;
}

/**
 * Calls that a connection may have besides as many streams as a caller may open: a caller who opens too many is told so,
 * instead of being left waiting by its own client.
 */
const OTHER_CALLS = 100;

/**
 * Serves the operations over gRPC, with the services of A2A 1.0 and 0.3. The SDK provides the messages; its services
 * know only the SDK's errors and interfaces, so calls are handled here.
 */
export async function startGrpcServer(options: GrpcServerOptions): Promise<GrpcServer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const stopping = new AbortController();
  const procedures = new Map<string, ServedProcedure>();
  const calls = new CallAdmission({
    ...options,
    ...limits,
    procedures,
    requestArrived: (remote) => listener.requestArrived(remote),
  });
  const server = new Server({
    'grpc.max_receive_message_length': limits.bodyBytes,
    'grpc.max_concurrent_streams': limits.streamsPerCaller + OTHER_CALLS,
    'grpc.max_connection_idle_ms': IDLE_MILLISECONDS,
    'grpc.keepalive_time_ms': limits.keepAliveSeconds * 1000,
    interceptors: [calls.interceptor],
  });
  const context: CallContext = {
    ...options,
    calls,
    operations: withExtendedCard(options.operations, options.extendedCard),
    disabledOperations: new Set(),
    extensions: new ServedExtensions(options.agent?.extensions),
    v03Blocking: options.v03Blocking ?? DEFAULT_V03_BLOCKING,
    stalledStreamSeconds: limits.stalledStreamSeconds,
    unread: new UnreadAnswers(limits.stalledStreamSeconds),
    stopping: stopping.signal,
  };
  for (const version of ['1.0', '0.3'] as const) {
    for (const procedure of proceduresOf(version, context)) procedures.set(procedure.codec.path, procedure);
  }
  addService(server, procedures.values());
  const connections = server.createConnectionInjector(ServerCredentials.createInsecure());
  const listener = await GrpcListener.listen({
    ...options,
    ...limits,
    accept: (socket) => connections.injectConnection(socket),
  });
  return {
    port: listener.port,
    async close(graceMilliseconds) {
      stopping.abort();
      options.admission.endLongPolls();
      const cutOff = new Timer(graceMilliseconds, () => {
        server.forceShutdown();
        listener.closeConnections();
      });
      const closed = listener.close();
      await new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      await closed;
      cutOff[Symbol.dispose]();
    },
  };
}

interface ServedProcedure extends Procedure {
  readonly codec: GrpcProcedure;
  /** For calls that ask for A2A 1.1, whose messages are those of 1.0 with more fields. */
  readonly nextCodec: GrpcProcedure;
  readonly context: CallContext;
}

function proceduresOf(version: ProtocolVersion, context: CallContext): ServedProcedure[] {
  const offered = OPERATION_NAMES.filter(
    (operation) => version !== '0.3' || OPERATIONS[operation].v03 !== undefined,
  );
  return offered.map((operation) => ({
    operation,
    version,
    codec: grpcProcedure(operation, version),
    nextCodec: grpcProcedure(operation, version === '1.0' ? '1.1' : version),
    context,
  }));
}

function addService(server: Server, procedures: Iterable<ServedProcedure>): void {
  const definition: Record<string, MethodDefinition<Buffer, Buffer>> = {};
  const implementation: Record<string, UntypedHandleCall> = {};
  for (const served of procedures) {
    const { path } = served.codec;
    const streams = isStreaming(served.operation);
    definition[path] = bytesMethod(path, streams);
    implementation[path] = streams
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

function codecOf({ codec, nextCodec }: ServedProcedure, { observation }: AdmittedCall): GrpcProcedure {
  return observation.version === '1.1' ? nextCodec : codec;
}

type UnaryCall = ServerUnaryCall<Buffer, Buffer>;
type StreamCall = ServerWritableStream<Buffer, Buffer>;

async function answerUnary(
  served: ServedProcedure,
  call: UnaryCall,
  callback: sendUnaryData<Buffer>,
): Promise<void> {
  const { calls, unread } = served.context;
  const admitted = calls.of(call);
  const { observation } = admitted;
  const client = new GrpcConnection(call);
  try {
    const result = await dispatchCall(served, call, admitted, client);
    const bytes = codecOf(served, admitted).encodeResponse('value' in result ? result.value : undefined);
    unread.add(admitted.caller.id, admitted.stream, bytes.length);
    observation.end();
    call.sendMetadata(client.metadata);
    callback(null, bytes);
  } catch (error) {
    callback(calls.failure(served, observation, error));
  }
}

async function answerStream(served: ServedProcedure, call: StreamCall): Promise<void> {
  const { context } = served;
  const admitted = context.calls.of(call);
  const codec = codecOf(served, admitted);
  const { observation } = admitted;
  const client = new GrpcConnection(call, context.stopping);
  const { signal } = client;
  let release: (() => void) | undefined;
  try {
    const result = await dispatchCall(served, call, admitted, client);
    if (!('stream' in result)) throw new Error(`${served.operation} returned no stream`);
    ({ release } = result);
    call.sendMetadata(client.metadata);
    for await (const batch of result.stream) {
      for (const { json } of batch) {
        const hasRoom = call.write(codec.encodeResponse(JSON.parse(json)));
        if (!hasRoom && !signal.aborted) await drained(call, signal, context.stalledStreamSeconds);
      }
      if (signal.aborted) break;
    }
    const { reason }: { reason: unknown } = signal;
    if (isA2AError(reason)) throw reason;
    observation.end();
    call.end();
  } catch (error) {
    call.emit('error', context.calls.failure(served, observation, error));
  } finally {
    release?.();
  }
}

/** Decodes the request of a call and dispatches the operation to the agent that it is for. */
async function dispatchCall(
  served: ServedProcedure,
  call: UnaryCall | StreamCall,
  admitted: AdmittedCall,
  client: ClientConnection,
): Promise<DispatchResult> {
  const { operation, context } = served;
  const decoded = decodeOperation(operation, readRequest(codecOf(served, admitted), call.request));
  const { tenant } = decoded.request;
  const agent = tenant ? await context.route?.(tenant) : undefined;
  const request = { ...admitted, client };
  if (agent === undefined) return dispatch(context, request, decoded, tenant);
  agent.requireCaller(admitted.caller);
  return dispatch({ ...context, ...agent.target }, request, decoded, agent.tenant);
}

function readRequest(codec: GrpcProcedure, bytes: Buffer): unknown {
  let request: unknown;
  try {
    request = codec.decodeRequest(bytes);
  } catch (error) {
    if (isA2AError(error)) throw error;
    throw new A2AError('PARSE_ERROR', 'The request is not the protobuf message of this procedure.');
  }
  requireShallow(request);
  return request;
}

class GrpcConnection implements ClientConnection {
  /** A message of gRPC is one piece. */
  readonly readsPieces = false;
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

  activate(extensions: readonly string[]): void {
    if (extensions.length > 0) this.metadata.set(EXTENSIONS_PARAMETER, extensions.join(','));
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
