import { isConnectionError } from '@holdword/net/internal';
import { A2AError, isA2AError, type SendMessageRequest, type SendMessageResponse } from '@holdword/protocol';
import type { PeerCallOptions } from '../peers/peer.ts';
import { callFailure, isTimeout } from './call-failure.ts';
import type { Connect } from './follow-task.ts';
import { retryDelay, type TimeLimit } from './time-limit.ts';

/** Connection attempts to an unreachable agent: about two seconds, enough for a restart. */
const MAX_CONNECT_ATTEMPTS = 5;

interface SendOptions extends Pick<PeerCallOptions, 'headers'> {
  /** Until when the message may be sent again, if a request that was sent may take longer. @default the limit */
  readonly retries?: TimeLimit;
}

/**
 * Sends a message and returns the agent's immediate response. A message without a response is resent only if that cannot
 * duplicate the work: it was not sent, the agent was overloaded, or the agent has the idempotency extension.
 */
export async function sendReliably(
  connect: Connect,
  request: SendMessageRequest,
  limit: TimeLimit,
  { retries = limit, ...options }: SendOptions = {},
): Promise<SendMessageResponse> {
  let mayBeThere = false;
  for (let attempt = 0; ; attempt += 1) {
    let idempotent = false;
    let isConnected = false;
    try {
      const { peer, extensions } = await connect(attempt);
      idempotent = extensions.idempotency;
      isConnected = true;
      return await peer.send(request, {
        ...options,
        signal: limit.signal,
        timeoutMilliseconds: limit.millisecondsLeft,
      });
    } catch (error) {
      mayBeThere ||= isConnected && !wasNotSent(error);
      limit.throwIfAborted();
      retries.throwIfAborted();
      const delay = retryDelay(attempt, error);
      const isUnreachable = isConnectionError(error) && !error.sent && attempt + 1 >= MAX_CONNECT_ATTEMPTS;
      const isFinal = retries.isExpired || delay >= retries.millisecondsLeft || isUnreachable;
      if (isFinal || !mayRepeat(error, idempotent)) {
        const failure = explain(error, { idempotent, arrived: mayBeThere });
        if (!mayBeThere && failure instanceof Error) NOT_DELIVERED.add(failure);
        if (isConnected && isInvalidAnswer(failure)) ANSWERED_INVALIDLY.add(failure);
        throw failure;
      }
      await retries.pause(delay);
    }
  }
}

/** Errors of messages of which nothing reached the agent, in any attempt. */
const NOT_DELIVERED = new WeakSet<Error>();

/** Errors of messages that the agent received, but answered with something unreadable. */
const ANSWERED_INVALIDLY = new WeakSet<Error>();

/** Whether the agent received the message and its answer could not be read. The work may have been done. */
export function wasAnsweredInvalidly(error: unknown): boolean {
  return error instanceof Error && ANSWERED_INVALIDLY.has(error);
}

function isInvalidAnswer(error: unknown): error is A2AError {
  return isA2AError(error) && error.code === 'INVALID_AGENT_RESPONSE';
}

/** Whether the attempt ended before anything was sent. */
function wasNotSent(error: unknown): boolean {
  return isConnectionError(error) && !error.sent;
}

/** Whether a message that failed with this error may have been delivered. */
export function mayHaveArrived(error: unknown): boolean {
  if (error instanceof Error && NOT_DELIVERED.has(error)) return false;
  return !isA2AError(error) || error.code === 'UNAVAILABLE' || error.code === 'INTERNAL';
}

function mayRepeat(error: unknown, idempotent: boolean): boolean {
  if (isConnectionError(error)) return idempotent || !error.sent;
  if (!isA2AError(error)) return false;
  return error.code === 'RESOURCE_EXHAUSTED' || (error.code === 'UNAVAILABLE' && idempotent);
}

function explain(
  error: unknown,
  { idempotent, arrived }: { readonly idempotent: boolean; readonly arrived: boolean },
): unknown {
  if (!isConnectionError(error) && !isTimeout(error)) return callFailure(error);
  const happened = isConnectionError(error) ? error.message : 'the request timed out';
  const advice = !arrived
    ? 'It was not sent. Check that the agent is running, then try again.'
    : idempotent
      ? 'It may have been delivered. Send the same message again: the agent processes it only once.'
      : 'It may have been delivered. Sending it again may duplicate the work.';
  return new A2AError('UNAVAILABLE', `The agent did not answer the message: ${happened}. ${advice}`, {
    cause: error,
  });
}
