import {
  type A2AError,
  type A2AErrorCode,
  isA2AError,
  type OperationName,
  type ProtocolBinding,
  type ProtocolVersion,
  type TaskState,
} from '@holdword/protocol';
import type { DecodedOperation } from '@holdword/protocol/internal';
import { draftAttributes, type OpenSpan, startRequestSpan, type TraceContext } from './tracing.ts';

/**
 * Is told what the runtime does, for metrics or logs. It is called in the path of every request, so an observer must
 * return immediately and never throw. It gets ids and numbers, no content.
 */
export interface Observer {
  requestEnded?(call: EndedRequest): void;
  /** A request for something other than A2A that is served on the same port, such as a hub, was rejected. */
  fallbackRejected?(refusal: FallbackRejection): void;
  /** A request for something other than A2A changed who may do what, such as the registration of an agent. */
  fallbackActed?(action: FallbackAction): void;
  turnEnded?(turn: EndedTurn): void;
  /** A task has a new state, and that is committed. */
  stateChanged?(change: StateChange): void;
  /** An operator deleted a task. */
  taskDeleted?(deletion: TaskDeletion): void;
  /** Events of one task were committed; the time is how long the writer waited for the store. */
  committed?(events: number, milliseconds: number): void;
  /** The store rejected a commit. */
  commitFailed?(): void;
}

/** A request that was handled, as an observer sees it. */
export interface EndedRequest {
  readonly binding: ProtocolBinding;
  /** Absent if the request was rejected before this was known, like the fields below. */
  readonly version: ProtocolVersion | undefined;
  readonly operation: OperationName | undefined;
  readonly caller: string | undefined;
  readonly tenant: string | undefined;
  /** The remote address of the connection. */
  readonly peer: string | undefined;
  /** The code of the error that it was rejected with. */
  readonly error: A2AErrorCode | undefined;
  /** The limit that was exceeded, by its name in the configuration. */
  readonly limit: string | undefined;
  /** Who used the limit up. Absent if none was exceeded, or if that is not known. */
  readonly limitScope?: LimitScope | undefined;
  /** Which check refused it, and which kind of credential, where the error alone does not say so. For the operator. */
  readonly reason?: string | undefined;
  /** The task that the request is about. Absent if there is none, or none that is known. */
  readonly taskId: string | undefined;
  /** From the first byte of the request to the end of the response. */
  readonly milliseconds: number;
}

/** A request to a fallback handler that was rejected. */
export interface FallbackRejection {
  /** What was requested, by its own name. Absent if the request was rejected before this was known. */
  readonly operation: string | undefined;
  /** Who the caller claims to be, without proof. */
  readonly named: string | undefined;
  /** Tenant and caller of the credential, as the store keeps them. Absent without a valid one. */
  readonly ownerKey?: string | undefined;
  readonly peer: string | undefined;
  /** The code that it was rejected with, as the handler names it. */
  readonly code: string;
}

/** A change by a fallback handler that belongs in the audit log. */
export interface FallbackAction {
  /** What happened, noun first: `agent-registered`. */
  readonly event: string;
  /** Tenant and caller of the credential, as the store keeps them. Absent without one. */
  readonly ownerKey: string | undefined;
  /** The agent that acted; absent if the caller acted without one. */
  readonly agent: string | undefined;
  readonly peer: string | undefined;
  /** The ids that it is about, by name. Undefined ones are omitted. */
  readonly about: Readonly<Record<string, string | undefined>>;
}

/** A turn that ended. */
export interface EndedTurn {
  /** The state of the task after the turn. Absent if the turn was answered without a task. */
  readonly state: TaskState | undefined;
  readonly milliseconds: number;
}

/** A task that changed its state. */
export interface StateChange {
  readonly taskId: string;
  /** Tenant and caller, as the store keeps them. */
  readonly ownerKey: string;
  readonly state: TaskState;
  /** Absent for a new task. */
  readonly from: TaskState | undefined;
}

/** A task that an operator deleted. */
export interface TaskDeletion {
  readonly taskId: string;
  /** Tenant and caller, as the store keeps them. */
  readonly ownerKey: string;
  /** The user of the operating system who ran the command, and the machine. */
  readonly by: string;
}

export const noopObserver: Observer = {};

/** Combines several observers. */
export function observeWith(observers: readonly Observer[]): Observer {
  const [first, ...others] = observers;
  if (first === undefined) return noopObserver;
  if (others.length === 0) return first;
  return {
    ...tellAll(observers, 'requestEnded'),
    ...tellAll(observers, 'fallbackRejected'),
    ...tellAll(observers, 'fallbackActed'),
    ...tellAll(observers, 'turnEnded'),
    ...tellAll(observers, 'stateChanged'),
    ...tellAll(observers, 'taskDeleted'),
    ...tellAll(observers, 'committed'),
    ...tellAll(observers, 'commitFailed'),
  };
}

/** Calls only observers that implement the method: most do not. */
function tellAll<Name extends keyof Observer>(
  observers: readonly Observer[],
  name: Name,
): Pick<Observer, Name> {
  type Listener = (told: unknown, more: unknown) => void;
  const listeners = observers.flatMap((observer) => {
    const listener = observer[name] as Listener | undefined;
    return listener === undefined ? [] : [listener.bind(observer)];
  });
  // No method has more than two arguments. A list of them would be an object for each call.
  const tell: Listener = (told, more) => {
    for (const listener of listeners) listener(told, more);
  };
  const teller = listeners.length > 1 ? tell : listeners[0];
  return (teller === undefined ? {} : { [name]: teller }) as Pick<Observer, Name>;
}

/** Who has used up a limit: the caller that was rejected, or all callers of the server together. */
export type LimitScope = 'caller' | 'server';

export const LIMIT_SCOPE_METADATA = 'limitScope';

/** The metadata field of an error that names the exceeded limit. */
export const LIMIT_METADATA = 'limit';

/**
 * Tells the operator, as the cause of an error, why a request was refused. A cause reaches no caller. The text contains names
 * and ids, and nothing that a caller wrote.
 */
export class RefusalReason extends Error {
  override readonly name = 'RefusalReason';
}

function reasonOf({ cause }: A2AError): string | undefined {
  return cause instanceof Error && cause.name === 'RefusalReason' ? cause.message : undefined;
}

/** When the latest request of the process arrived: long work pauses while requests arrive. */
export let latestRequestAt = -Infinity;

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
  limitScope: LimitScope | undefined;
  reason: string | undefined;
  taskId: string | undefined;
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
    latestRequestAt = performance.now();
  }

  get peer(): string | undefined {
    return this.#connection.remoteAddress;
  }

  get milliseconds(): number {
    return Math.max(0, Date.now() - this.#startedAt);
  }

  /** The operation is known now. Returns the trace that the work belongs to. */
  begin(
    { operation, request }: DecodedOperation,
    tenant: string,
    trace: TraceContext | undefined,
  ): TraceContext | undefined {
    this.operation = operation;
    this.tenant = tenant;
    this.#span = startRequestSpan(operation, {
      parent: trace,
      startedAt: this.#startedAt,
      attributes: () => ({
        'rpc.system': 'a2a',
        'rpc.method': operation,
        'a2a.binding': this.binding,
        'a2a.version': this.version ?? 'unknown',
        'a2a.protocol.version': this.version,
        'a2a.tenant': tenant || undefined,
        ...draftAttributes(operation, request),
      }),
    });
    return this.#span.trace;
  }

  /** The response is complete, or the request was rejected. */
  end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    if (error !== undefined) {
      this.error = isA2AError(error) ? error.code : 'INTERNAL';
      const { metadata } = isA2AError(error) ? error : {};
      this.limit = metadata?.[LIMIT_METADATA];
      this.limitScope = metadata?.[LIMIT_SCOPE_METADATA] as LimitScope | undefined;
      this.reason = isA2AError(error) ? reasonOf(error) : undefined;
    }
    this.#span?.end(this.error, { 'a2a.task.id': this.taskId });
    this.#observer.requestEnded?.(this);
  }
}
