import type {
  A2AErrorCode,
  OperationName,
  ProtocolBinding,
  ProtocolVersion,
  TaskState,
} from '@holdword/protocol';

/**
 * Is told what the runtime does, to count it or to write it down. Called on the path of every request: an observer
 * returns at once, never throws, and gets ids and figures, no content.
 */
export interface Observer {
  requestEnded?(call: EndedRequest): void;
  /** A call of something that is served beside A2A, such as a hub, was refused. */
  fallbackRejected?(refusal: FallbackRejection): void;
  turnEnded?(turn: EndedTurn): void;
  /** A task has a new state, and that is on disk. */
  stateChanged?(change: StateChange): void;
  /** Events of one task were committed; the time is the writer's wait for the store. */
  committed?(events: number, milliseconds: number): void;
  /** The store did not take a commit. */
  commitFailed?(): void;
}

export interface EndedRequest {
  readonly binding: ProtocolBinding;
  /** Absent when the call was refused before that was known; the same for what follows. */
  readonly version: ProtocolVersion | undefined;
  readonly operation: OperationName | undefined;
  readonly caller: string | undefined;
  readonly tenant: string | undefined;
  /** The address at the other end of the connection. */
  readonly peer: string | undefined;
  /** What it was refused with. */
  readonly error: A2AErrorCode | undefined;
  /** The limit it met, by its name in the configuration. */
  readonly limit: string | undefined;
}

export interface FallbackRejection {
  /** What was called, by its own name; absent when the call was refused before that was known. */
  readonly operation: string | undefined;
  /** Who the caller says it is. Nothing has proved it. */
  readonly named: string | undefined;
  readonly peer: string | undefined;
  /** What it was refused with, by the code of whoever refused it. */
  readonly code: string;
}

export interface EndedTurn {
  /** The state the turn left the task in; absent when it answered without a task. */
  readonly state: TaskState | undefined;
  readonly milliseconds: number;
}

export interface StateChange {
  readonly taskId: string;
  /** Tenant and caller, as the store keeps them. */
  readonly ownerKey: string;
  readonly state: TaskState;
  /** Absent for a new task. */
  readonly from: TaskState | undefined;
}

export const noopObserver: Observer = {};

/** Tells several observers. */
export function observeWith(observers: readonly Observer[]): Observer {
  const [first, ...others] = observers;
  if (first === undefined) return noopObserver;
  if (others.length === 0) return first;
  return {
    ...tellAll(observers, 'requestEnded'),
    ...tellAll(observers, 'fallbackRejected'),
    ...tellAll(observers, 'turnEnded'),
    ...tellAll(observers, 'stateChanged'),
    ...tellAll(observers, 'committed'),
    ...tellAll(observers, 'commitFailed'),
  };
}

/** Tells only those who listen: most listen to something else. */
function tellAll<Name extends keyof Observer>(
  observers: readonly Observer[],
  name: Name,
): Pick<Observer, Name> {
  type Listener = (...told: unknown[]) => void;
  const listeners = observers.flatMap((observer) => {
    const listener = observer[name] as Listener | undefined;
    return listener === undefined ? [] : [listener.bind(observer)];
  });
  const tell: Listener = (...told) => listeners.forEach((listener) => listener(...told));
  const teller = listeners.length > 1 ? tell : listeners[0];
  return (teller === undefined ? {} : { [name]: teller }) as Pick<Observer, Name>;
}
