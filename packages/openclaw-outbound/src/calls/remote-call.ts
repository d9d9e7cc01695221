import { type AgentConnection, cardFailure, type Connect, TimeLimit } from '@holdword/client/internal';
import { A2AError, isA2AError, type StreamResponse } from '@holdword/protocol';
import type { OutboundConfig } from '../config.ts';
import { isPlausibleId, MAX_ID_LENGTH } from '../remote-ids.ts';
import type { TargetConnections } from '../targets/target-connections.ts';
import type { Target } from '../targets/target.ts';

/** One call to a target, with one timeout. */
export interface RemoteCall {
  readonly target: Target;
  readonly limit: TimeLimit;
  /** Service parameters of the request, sent as headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connect: Connect;
  /** Called with every event the agent sends. */
  onEvent(event: StreamResponse): void;
}

/** After this many connection failures the agent may have moved, so its card is fetched again. */
const FAILURES_BEFORE_NEW_CARD = 2;

export function openRemoteCall(
  connections: TargetConnections,
  options: {
    readonly target: Target;
    readonly limit: TimeLimit;
    readonly serviceParameters?: Readonly<Record<string, string>> | undefined;
    readonly onEvent?: ((event: StreamResponse) => void) | undefined;
  },
): RemoteCall {
  const { target, limit, serviceParameters = {}, onEvent = () => {} } = options;
  return {
    target,
    limit,
    headers: serviceParameters,
    connect: (failures) => {
      if (failures >= FAILURES_BEFORE_NEW_CARD) connections.expireCard(target);
      return connectTo(target, connections, limit);
    },
    onEvent,
  };
}

async function connectTo(
  target: Target,
  connections: TargetConnections,
  limit: TimeLimit,
): Promise<AgentConnection> {
  try {
    return await connections.connect(target, limit.signal);
  } catch (error) {
    limit.signal.throwIfAborted();
    throw cardFailureOf(target, error);
  }
}

/** Why a target could not be called although the call was aborted meanwhile; undefined if nothing had failed. */
export function troubleWith(target: Target, connections: TargetConnections): A2AError | undefined {
  const trouble = connections.troubleWith(target);
  return trouble === undefined ? undefined : cardFailureOf(target, trouble);
}

function cardFailureOf(target: Target, error: unknown): A2AError {
  const failure = cardFailure(target.configured?.alias ?? new URL(target.baseUrl).host, error);
  CARD_FAILURES.add(failure);
  return failure;
}

const CARD_FAILURES = new WeakSet<A2AError>();

/** Whether a call failed because the agent has no usable card. */
export function isCardFailure(error: A2AError): boolean {
  return CARD_FAILURES.has(error);
}

/** The timeout of a request, combined with its caller's abort signal. */
export function requestTime(
  { timeout_ms: requested }: { readonly timeout_ms?: number | undefined },
  { defaults }: OutboundConfig,
  signal: AbortSignal | undefined,
): TimeLimit {
  return new TimeLimit((requested ?? defaults.timeoutMs) / 1000, signal);
}

/** Options for a request to the peer. */
export function peerOptions({ limit, headers }: RemoteCall): {
  signal: AbortSignal;
  timeoutMilliseconds: number;
  headers: Readonly<Record<string, string>>;
} {
  return { signal: limit.signal, timeoutMilliseconds: limit.millisecondsLeft, headers };
}

/**
 * Retries once with fresh credentials after a 401, because they may have been rotated. That is safe: a rejected request has
 * had no effect.
 */
export async function withFreshCredentials<Answer>(
  connections: TargetConnections,
  target: Target,
  run: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    const isRejected = isA2AError(error) && error.code === 'UNAUTHENTICATED';
    if (!isRejected || target.configured?.auth === undefined) throw error;
    connections.invalidateCredentials(target);
    return run();
  }
}

/** Checks that a response is about the requested task, and that its id can be shown to a model. */
export function checkTaskId(found: string, expected?: string): void {
  if (!isPlausibleId(found)) {
    throw invalidResponse(
      `a task id that is not an id: it has white space, invisible characters, quotes or angle brackets, or more than ${MAX_ID_LENGTH} characters`,
    );
  }
  if (expected !== undefined && found !== expected) throw invalidResponse('a different task than requested');
}

/** A stream that mixes tasks: neither the event nor what follows it can be trusted. */
export function foreignEvent(): A2AError {
  return invalidResponse('an event of another task or context');
}

function invalidResponse(what: string): A2AError {
  return new A2AError(
    'INVALID_AGENT_RESPONSE',
    `The agent returned ${what}. The response was discarded; report this to the operator of the agent.`,
  );
}
