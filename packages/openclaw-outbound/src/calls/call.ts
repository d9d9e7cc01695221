import { cardFailure, type AgentConnection, type Connect, type TimeLimit } from '@holdword/client';
import { A2AError, isA2AError, type StreamResponse } from '@holdword/protocol';
import type { Services } from '../services.ts';
import type { Target } from '../targets/target.ts';

/** One call to a target, within one time. */
export interface Call {
  readonly target: Target;
  readonly limit: TimeLimit;
  /** What the request wants sent beside itself. */
  readonly headers: Readonly<Record<string, string>>;
  readonly connect: Connect;
  /** Told of everything that the agent says while it works. */
  onEvent(event: StreamResponse): void;
}

/** An agent that could not be reached so often may have moved. */
const FAILURES_BEFORE_NEW_CARD = 2;

export function openCall(
  { connections }: Pick<Services, 'connections'>,
  options: {
    readonly target: Target;
    readonly limit: TimeLimit;
    readonly serviceParameters?: Readonly<Record<string, string>> | undefined;
    readonly onEvent?: (event: StreamResponse) => void;
  },
): Call {
  const { target, limit, serviceParameters, onEvent = () => {} } = options;
  return {
    target,
    limit,
    headers: connections.callHeaders(target, serviceParameters),
    connect: (failures) => {
      if (failures >= FAILURES_BEFORE_NEW_CARD) connections.expireCard(target);
      return connectTo(target, connections, limit);
    },
    onEvent,
  };
}

async function connectTo(
  target: Target,
  connections: Services['connections'],
  limit: TimeLimit,
): Promise<AgentConnection> {
  try {
    return await connections.connect(target, limit.signal);
  } catch (error) {
    limit.signal.throwIfAborted();
    throw cardFailure(target.configured?.alias ?? new URL(target.baseUrl).host, error);
  }
}

/** How the peer is to be called. */
export function peerOptions({ limit, headers }: Call): {
  signal: AbortSignal;
  timeoutMilliseconds: number;
  headers: Readonly<Record<string, string>>;
} {
  return { signal: limit.signal, timeoutMilliseconds: limit.millisecondsLeft, headers };
}

/** Runs a call again when the agent refused the credentials: they may just have been changed. A refused call did nothing. */
export async function withFreshCredentials<Answer>(
  { connections }: Pick<Services, 'connections'>,
  target: Target,
  run: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    const refused = isA2AError(error) && error.code === 'UNAUTHENTICATED';
    if (!refused || target.configured?.auth === undefined) throw error;
    connections.forgetCredentials(target);
    return run();
  }
}

const LONGEST_ID = 512;

/** An agent speaks of the task that it was asked about, and gives its tasks names that can be kept. */
export function checkTaskId(found: string, expected?: string): void {
  if (found.length > LONGEST_ID) throw wrongAnswer(`gave a task an id of ${found.length} characters`);
  if (expected !== undefined && found !== expected) throw wrongAnswer('answered about another task');
}

function wrongAnswer(what: string): A2AError {
  return new A2AError(
    'INVALID_AGENT_RESPONSE',
    `The agent ${what}. The answer was not used; tell its operator.`,
  );
}
