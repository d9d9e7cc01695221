import { isDeepStrictEqual } from 'node:util';
import { isConnectionError } from '@holdword/net/internal';
import { isA2AError, type StreamResponse, type Task } from '@holdword/protocol';
import { quotedMessage } from '@holdword/protocol/internal';
import type { AgentConnection } from '../agents/registered-agent.ts';
import { countOf } from '../artifacts/shorten.ts';
import { asksToWait, isTransient, retryDelay } from '../basics/retries.ts';
import { bytesBefore, isTooLarge } from '../peers/http-endpoint.ts';
import type { PeerCallOptions } from '../peers/peer.ts';
import { callFailure, isTimeout } from './call-failure.ts';
import type { TaskView } from './task-view.ts';
import type { TimeLimit } from './time-limit.ts';

export interface FollowOptions {
  connect: Connect;
  view: TaskView;
  limit: TimeLimit;
  /** Maximum interval between polls of an agent that does not stream. */
  pollMilliseconds: number;
  /** Called for every new event. */
  onEvent: (event: StreamResponse) => void | Promise<void>;
  /** Called for every event of another task, which is left out. */
  onForeignEvent?: (() => void) | undefined;
  /** Why the task could not be fetched just now. Returned if the agent is not reached before the end. */
  failure?: string | undefined;
  /** See PeerCallOptions. */
  headers?: PeerCallOptions['headers'];
}

/** Connects to an agent, given the number of consecutive failures: after several, the agent may have moved. */
export type Connect = (failures: number) => Promise<AgentConnection>;

interface Following extends FollowOptions {
  /** When the request was sent that waits for an answer. A stream may be silent as long as it likes. */
  askedAt: number | undefined;
  /** Polls that found something within the interval, or nothing. */
  polls: number;
  lastPollMilliseconds: number;
  /** The agent may hold a poll until it has news. Not for a large task, which should be fetched less often than it changes. */
  maybeHeld: boolean;
}

/** The outcome of a subscription. */
type StreamEnd = 'rejected' | 'idle' | 'progress';

const FIRST_POLL_MILLISECONDS = 200;
/** A request that the time limit cuts off earlier says nothing about the agent. */
const SILENCE_MILLISECONDS = 1_000;

/**
 * Updates a view until its task settles or the time limit expires.
 *
 * Responsible for applying every event exactly once across lost connections: it resubscribes with backoff, from its cursor
 * if the peer has the resume extension, otherwise from a snapshot, and polls a peer that does not stream. Rejects only if
 * the agent returns an error or the caller aborts.
 *
 * @returns Why the agent could not be reached when the time limit expired; undefined if it could.
 */
export async function followTask(given: FollowOptions): Promise<string | undefined> {
  const { view, limit } = given;
  const options: Following = {
    ...given,
    askedAt: undefined,
    polls: 0,
    lastPollMilliseconds: 0,
    maybeHeld: true,
  };
  let streams = true;
  let failures = 0;
  let unreachable = given.failure;
  while ((!view.isSettled || view.isIncomplete) && !limit.isExpired) {
    try {
      options.askedAt = performance.now();
      const connection = await options.connect(failures);
      options.askedAt = undefined;
      if (view.isSettled) await refresh(options, connection);
      else if (streams && connection.card.capabilities.streaming === true) {
        const end = await readStream(options, connection);
        streams = end !== 'rejected';
        failures = end === 'idle' ? failures + 1 : 0;
        // Even after progress there is a short pause: an agent may end every stream after one event.
        if (end !== 'rejected' && !view.isSettled) await limit.pause(retryDelay(failures));
      } else {
        // Nothing was asked, so what is known of the agent stays true.
        if (!(await poll(options, connection))) break;
        failures = 0;
      }
      unreachable = undefined;
    } catch (error) {
      limit.throwIfAborted();
      if (view.isSettled && !view.isIncomplete) return undefined;
      // A request gets the time that is left, and its timer may be a little faster than that of the limit.
      if (limit.isExpired || isTimeout(error))
        return unreachable ?? cutOff(error) ?? silenceSince(options.askedAt);
      if (!isTransient(error)) throw error;
      const failure = callFailure(error);
      unreachable = failure instanceof Error ? quotedMessage(failure) : undefined;
      await limit.pause(retryDelay(failures, error));
      failures += 1;
    }
  }
  limit.throwIfAborted();
  return unreachable;
}

/**
 * Polls once, after a pause. An agent of A2A 1.1 that counts generations holds the request until it has news: then news arrive at
 * once, and there is one request for each. Resolves with false if the timeout expired before it asked.
 */
async function poll(options: Following, connection: AgentConnection): Promise<boolean> {
  const { view, limit, pollMilliseconds, polls, lastPollMilliseconds } = options;
  const interval = Math.min(pollMilliseconds, FIRST_POLL_MILLISECONDS * 2 ** polls);
  // A task that takes long to transfer is polled less often.
  await limit.pause(Math.max(interval, lastPollMilliseconds));
  if (limit.isExpired) return false;
  const { generation } = view;
  const isHeld = options.maybeHeld && connection.peer.version === '1.1' && generation !== undefined;
  const start = Date.now();
  await refresh(options, connection, isHeld ? generation : undefined);
  const milliseconds = Date.now() - start;
  options.lastPollMilliseconds = isHeld ? 0 : milliseconds;
  // An agent that does not hold requests, or has news all the time, is polled less and less often.
  options.polls = isHeld && milliseconds > interval ? 0 : polls + 1;
  return true;
}

/** Reads one subscription to its end. */
async function readStream(options: Following, connection: AgentConnection): Promise<StreamEnd> {
  const { view, onEvent, onForeignEvent } = options;
  const { peer, extensions } = connection;
  const cursor = extensions.resume ? view.sequence : undefined;
  const before = view.toTask();
  const { sequence } = view;
  const isFurther = (): boolean => view.sequence !== sequence || hasProgressed(before, view.toTask());
  let isHandling = false;
  try {
    const subscription = peer.subscribe(
      { id: view.id },
      {
        ...callOptions(options),
        ...(cursor !== undefined && { resumeAfter: cursor }),
      },
    );
    for await (const event of subscription) {
      isHandling = true;
      const { foreignEvents } = view;
      if (view.apply(event)) await onEvent(event.event);
      else if (view.foreignEvents > foreignEvents) onForeignEvent?.();
      if (view.isGapped) await refresh(options, connection);
      isHandling = false;
      if (view.isSettled) break;
    }
  } catch (error) {
    if (isA2AError(error) && error.code === 'INVALID_PARAMS' && cursor !== undefined) {
      view.forgetSequence();
      return 'idle';
    }
    // An event or the whole task is too large for memory. The task is fetched, which puts its contents into files.
    if (isTooLarge(error)) {
      options.maybeHeld = false;
      await refresh(options, connection);
      return 'rejected';
    }
    // The task has ended in the meantime, or the agent does not support streaming although its card says so. Agents have several
    // errors for either, some of which deny a task that they have, so the task itself is asked for.
    if (isA2AError(error) && !isHandling && !asksToWait(error)) {
      await refresh(options, connection);
      return isTransient(error) ? 'idle' : 'rejected';
    }
    // The task went on before the connection broke, so the backoff starts over.
    if (isConnectionError(error) && isFurther()) return 'progress';
    throw error;
  }
  // A peer that does not number its events may have skipped some; the task itself is authoritative.
  const isComplete = view.sequence !== undefined || (view.generation !== undefined && view.isSettled);
  if (!isComplete) await refresh(options, connection);
  return isFurther() ? 'progress' : 'idle';
}

/** Fetches the task: at once, or when it is beyond a generation. */
async function refresh(
  options: Following,
  { peer }: AgentConnection,
  currentGeneration?: number,
): Promise<void> {
  const { view, onEvent } = options;
  const before = view.toTask();
  if (currentGeneration === undefined) options.askedAt = performance.now();
  const task = await peer.get(
    { id: view.id, ...(currentGeneration !== undefined && { currentGeneration }) },
    callOptions(options),
  );
  options.askedAt = undefined;
  view.replace(task);
  if (hasChanged(before, task)) await onEvent({ task: view.toTask() });
}

/** The agent has answered all the time, but slowly. */
function cutOff(error: unknown): string | undefined {
  const bytes = bytesBefore(error);
  if (bytes === 0) return undefined;
  return `The agent was still sending the task when the time ran out (${countOf(bytes, 'byte')} had arrived), so what is new in it is missing. Call getTask again, with a larger timeout.`;
}

function silenceSince(askedAt = Infinity): string | undefined {
  const milliseconds = performance.now() - askedAt;
  if (milliseconds < SILENCE_MILLISECONDS) return undefined;
  const seconds = Math.floor(milliseconds / 1000);
  return `The agent has not answered for ${countOf(seconds, 'second')}. Check that it is running, then try again.`;
}

/** Whether a poll found something new. */
function hasChanged(before: Task, after: Task): boolean {
  return before.status.timestamp !== after.status.timestamp || hasProgressed(before, after);
}

/**
 * Whether the task went on: another state, another message, or more in its artifacts. Another time alone is no progress, and
 * neither is an event that repeats what is known: many agents begin every stream with the task.
 */
function hasProgressed(before: Task, after: Task): boolean {
  if (before.status.state !== after.status.state) return true;
  if (!isDeepStrictEqual(before.status.message?.parts, after.status.message?.parts)) return true;
  return sizeOf(before.artifacts) !== sizeOf(after.artifacts);
}

/** Cheap, because it is compared after every poll: data counts by its parts, not by its length. */
function sizeOf(artifacts: Task['artifacts'] = []): number {
  let size = artifacts.length;
  for (const { parts } of artifacts) {
    for (const { text, raw } of parts) size += 1 + (text ?? raw ?? '').length;
  }
  return size;
}

function callOptions({ limit, headers }: FollowOptions): PeerCallOptions {
  return {
    signal: limit.signal,
    timeoutMilliseconds: limit.millisecondsLeft,
    ...(headers && { headers }),
  };
}
