import { isConnectionError } from '@holdword/net/internal';
import { isA2AError, type StreamResponse } from '@holdword/protocol';
import { ERROR_TABLE } from '@holdword/protocol/internal';
import type { AgentConnection } from '../agents/registered-agent.ts';
import type { PeerCallOptions } from '../peers/peer.ts';
import { retryPause } from './retry-pause.ts';
import type { TaskView } from './task-view.ts';
import type { TimeLimit } from './time-limit.ts';

export interface FollowOptions {
  connect: Connect;
  view: TaskView;
  limit: TimeLimit;
  /** The longest pause between two questions to an agent that does not stream. */
  pollMilliseconds: number;
  /** Called for every event that is new. */
  onEvent: (event: StreamResponse) => void | Promise<void>;
  /** See PeerCallOptions. */
  headers?: PeerCallOptions['headers'];
}

/** The way to an agent; told how often it has just failed, because the agent may have moved. */
export type Connect = (failures: number) => Promise<AgentConnection>;

/** What a subscription came to. */
type StreamEnd = 'rejected' | 'idle' | 'progress';

const FIRST_POLL_MILLISECONDS = 200;
const STREAMING_UNSUPPORTED: ReadonlySet<string> = new Set(['UNSUPPORTED_OPERATION', 'METHOD_NOT_FOUND']);

/**
 * Brings a view up to date until its task settles or the time is up.
 *
 * Responsible for losing nothing and counting nothing twice while connections break: it subscribes again after a growing
 * pause, from its place where the peer has the resume extension, from a snapshot otherwise, and asks now and then where
 * the peer does not stream. Rejects only when the agent refuses, or the caller stops.
 */
export async function followTask(options: FollowOptions): Promise<void> {
  const { view, limit, pollMilliseconds } = options;
  let streams = true;
  let failures = 0;
  let polls = 0;
  while (!view.isSettled && !limit.isExpired) {
    try {
      const connection = await options.connect(failures);
      if (streams && connection.card.capabilities.streaming === true) {
        const end = await readStream(options, connection);
        streams = end !== 'rejected';
        failures = end === 'idle' ? failures + 1 : 0;
        if (failures > 0) await limit.pause(retryPause(failures));
      } else {
        await limit.pause(Math.min(pollMilliseconds, FIRST_POLL_MILLISECONDS * 2 ** polls));
        polls += 1;
        if (!limit.isExpired) await refresh(options, connection);
        failures = 0;
      }
    } catch (error) {
      limit.throwIfAborted();
      if (view.isSettled || limit.isExpired) return;
      if (!isTransient(error)) throw error;
      await limit.pause(retryPause(failures, error));
      failures += 1;
    }
  }
  limit.throwIfAborted();
}

/** Reads one subscription to its end. */
async function readStream(options: FollowOptions, connection: AgentConnection): Promise<StreamEnd> {
  const { view, onEvent } = options;
  const { peer, extensions } = connection;
  const cursor = extensions.resume ? view.sequence : undefined;
  let applied = 0;
  try {
    const subscription = peer.subscribe(
      { id: view.id },
      {
        ...callOptions(options),
        ...(cursor !== undefined && { resumeAfter: cursor }),
      },
    );
    for await (const event of subscription) {
      if (view.apply(event)) {
        applied += 1;
        await onEvent(event.event);
      }
      if (view.isSettled) break;
    }
  } catch (error) {
    if (isA2AError(error) && error.code === 'INVALID_PARAMS' && cursor !== undefined) {
      view.forgetSequence();
      return 'idle';
    }
    // The task has ended in the meantime, or the agent does not stream although its card says so.
    if (isA2AError(error) && STREAMING_UNSUPPORTED.has(error.code)) {
      await refresh(options, connection);
      return 'rejected';
    }
    // Whatever arrived before a connection broke was worth it: the next attempt need not wait long.
    if (applied > 0 && isConnectionError(error)) return 'progress';
    throw error;
  }
  // Peers without numbers may have left out events; the task itself tells, and also why a stream ended early.
  if (view.sequence === undefined) await refresh(options, connection);
  return applied > 0 ? 'progress' : 'idle';
}

async function refresh(options: FollowOptions, { peer }: AgentConnection): Promise<void> {
  const { view, onEvent } = options;
  const { state, timestamp } = view.status;
  const task = await peer.get({ id: view.id }, callOptions(options));
  view.replace(task);
  if (task.status.state !== state || task.status.timestamp !== timestamp) await onEvent({ task });
}

function callOptions({ limit, headers }: FollowOptions): PeerCallOptions {
  return {
    signal: limit.signal,
    timeoutMilliseconds: limit.millisecondsLeft,
    ...(headers && { headers }),
  };
}

function isTransient(error: unknown): boolean {
  return isConnectionError(error) || (isA2AError(error) && ERROR_TABLE[error.code].retry);
}
