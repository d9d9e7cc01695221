import { A2AError, isA2AError, type OperationName, type ProtocolVersion } from '@holdword/protocol';
import { isStreaming, OPERATIONS, Timer, type DecodedOperation } from '@holdword/protocol/internal';
import { RefusalReason, type RequestObservation } from '../observe/observer.ts';
import type { TraceContext } from '../observe/tracing.ts';
import type { AllOperations, EventStream, Operation, RequestContext } from '../operations/operations.ts';
import type { Owner } from '../owner.ts';
import { identityOf, type Admission } from './admission.ts';
import type { Caller, RequestHeaders } from './auth/authentication.ts';
import {
  readServiceParameters,
  type ServedExtensions,
  type ServiceParameters,
} from './service-parameters.ts';

/** What requests are dispatched to. */
export interface DispatchTarget {
  readonly operations: AllOperations;
  readonly admission: Admission;
  /** Operations that this server does not offer. Requests for them get METHOD_NOT_FOUND. */
  readonly disabledOperations: ReadonlySet<OperationName>;
  readonly extensions: ServedExtensions;
  /** Whether a send of 0.3 waits if the request does not say. */
  readonly v03Blocking: boolean;
}

/** A request that has been admitted, on any binding. */
export interface AdmittedRequest {
  readonly caller: Caller;
  readonly observation: RequestObservation;
  readonly headers: RequestHeaders;
  readonly client: ClientConnection;
}

/** The client of a request, while it waits for the response. */
export interface ClientConnection {
  /** Fires when the client has disconnected, or by `abort`. */
  readonly signal: AbortSignal;
  /**
   * Ends waiting and streaming for this client, as if it had disconnected. It is told the reason, if there is one.
   */
  abort(reason?: A2AError): void;
  /** Responses are written piece by piece, so that large tasks need not be in memory. */
  readonly readsPieces: boolean;
  /** Tells the client which of the extensions it declared are active. */
  activate(extensions: readonly string[]): void;
}

/** The result of an operation: a JSON value of A2A 1.0, or a stream of them. */
export type DispatchResult =
  { readonly value: unknown } | { readonly stream: EventStream; readonly release: () => void };

/**
 * Runs the operation that a binding has decoded, for the caller, in the tenant that the request names. A stream takes a
 * slot, which its `release` gives back.
 */
export async function dispatch(
  { operations, admission, disabledOperations, extensions, v03Blocking }: DispatchTarget,
  { caller, observation, headers, client }: AdmittedRequest,
  decoded: DecodedOperation,
  tenant: string | undefined,
): Promise<DispatchResult> {
  const { operation } = decoded;
  if (disabledOperations.has(operation)) throw operationDisabled(operation, observation.version);
  const owner = ownerOf(caller, tenant);
  const parameters = readServiceParameters(headers);
  const trace = observation.begin(decoded, owner.tenant, parameters.trace);
  const context = new DispatchedContext(owner, parameters, trace ?? parameters.trace, observation, client);
  observation.taskId = taskIdIn(decoded.request);
  // The extended card is how a client learns of them.
  if (operation !== 'getExtendedAgentCard') client.activate(extensions.activate(context.extensions));
  // The types of request and operation belong together, which the decoder has made sure of.
  const run = operations[operation] as Operation<OperationName>;
  const request =
    v03Blocking || observation.version !== '0.3' ? decoded.request : returningImmediately(decoded);
  if (!isStreaming(operation)) {
    if (isLongPoll(decoded, observation.version))
      return longPoll(admission, caller, client, () => run(request, context));
    const unblock = isBlocking(decoded, request) ? admission.openBlocking(caller) : undefined;
    try {
      return { value: (await run(request, context)) ?? {} };
    } finally {
      unblock?.();
    }
  }
  const release = admission.openStream(caller, (error) => {
    observation.end(error);
    client.abort(error);
  });
  try {
    return { stream: await openInTime(run(request, context) as Promise<EventStream>), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Whether the response waits for a change of a task. */
function isLongPoll({ operation, request }: DecodedOperation, version: ProtocolVersion | undefined): boolean {
  return version === '1.1' && operation === 'getTask' && request.currentGeneration !== undefined;
}

/** A request that waits is limited like a stream: how many there are, how long they take, and that their caller may read. */
async function longPoll(
  admission: Admission,
  caller: Caller,
  client: ClientConnection,
  run: () => Promise<unknown>,
): Promise<DispatchResult> {
  const release = admission.openLongPoll(caller, (error) => client.abort(error));
  try {
    const value = await run();
    const { reason }: { reason: unknown } = client.signal;
    if (isA2AError(reason)) throw reason;
    return { value };
  } finally {
    release();
  }
}

/** Whether the response waits for a task. */
function isBlocking({ operation }: DecodedOperation, request: DecodedOperation['request']): boolean {
  if (operation !== 'sendMessage' || !('configuration' in request)) return operation === 'sendMessage';
  return request.configuration?.returnImmediately !== true;
}

/** 0.3 leaves it to the server what a send without `blocking` does. */
function returningImmediately({ operation, request }: DecodedOperation): DecodedOperation['request'] {
  if (operation !== 'sendMessage') return request;
  const { configuration, ...others } = request;
  return { ...others, configuration: { returnImmediately: true, ...configuration } };
}

/** How long a stream may take to open before its caller is told that it will come. */
const OPENING_MILLISECONDS = 1_000;

/**
 * The stream, or its error while that can still be an ordinary error response. A stream that takes longer to open, because
 * its turn waits for others, begins without events: clients and proxies give up on a connection that stays silent.
 */
async function openInTime(opening: Promise<EventStream>): Promise<EventStream> {
  const { promise: isLate, resolve } = Promise.withResolvers<undefined>();
  using _ = new Timer(OPENING_MILLISECONDS, () => resolve(undefined));
  return (await Promise.race([opening, isLate])) ?? onceOpen(opening);
}

async function* onceOpen(opening: Promise<EventStream>): EventStream {
  yield* await opening;
}

/** Its signal is read on first use: most unary requests never need one. */
class DispatchedContext implements RequestContext {
  readonly owner: Owner;
  readonly version: ProtocolVersion | undefined;
  readonly extensions: ReadonlySet<string>;
  readonly idempotencyKey: string | undefined;
  readonly resumeAfter: number | undefined;
  readonly trace: TraceContext | undefined;
  readonly #observation: RequestObservation;
  readonly #client: ClientConnection;

  constructor(
    owner: Owner,
    { extensions, idempotencyKey, resumeAfter }: ServiceParameters,
    trace: TraceContext | undefined,
    observation: RequestObservation,
    client: ClientConnection,
  ) {
    this.owner = owner;
    this.version = observation.version;
    this.#observation = observation;
    this.extensions = extensions;
    this.idempotencyKey = idempotencyKey;
    this.resumeAfter = resumeAfter;
    this.trace = trace;
    this.#client = client;
  }

  get signal(): AbortSignal {
    return this.#client.signal;
  }

  get readsPieces(): boolean {
    return this.#client.readsPieces;
  }

  onTask(taskId: string): void {
    this.#observation.taskId = taskId;
  }
}

/** Requests about a push configuration have the id of their task in another field. */
function taskIdIn(request: DecodedOperation['request']): string | undefined {
  if ('taskId' in request) return request.taskId;
  return 'id' in request ? request.id : undefined;
}

/** The owner on whose behalf a request is handled: its caller in the tenant that the request names (J9). */
function ownerOf(caller: Caller, tenant: string | undefined): Owner {
  if (caller.tenant !== undefined && tenant && tenant !== caller.tenant) {
    throw new A2AError(
      'PERMISSION_DENIED',
      'The credential does not belong to the tenant that the request names. Name your own tenant, or omit it.',
      { cause: new RefusalReason('the request names another tenant than the one of the credential') },
    );
  }
  return {
    tenant: caller.tenant ?? tenant ?? '',
    caller: caller.id,
    authenticated: caller.authenticated,
    ...(caller.tenant !== undefined && { identity: identityOf(caller) }),
  };
}

function operationDisabled(operation: OperationName, version: ProtocolVersion | undefined): A2AError {
  const { method, v03 } = OPERATIONS[operation];
  const name = version === '0.3' && v03 !== undefined ? v03.method : method;
  return new A2AError(
    'METHOD_NOT_FOUND',
    `This agent does not support ${name}. Its agent card lists what it supports.`,
  );
}
