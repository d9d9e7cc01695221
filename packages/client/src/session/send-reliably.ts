import { isConnectionError, isForbiddenUrlError } from '@holdword/net/internal';
import {
  A2AError,
  type A2AErrorCode,
  isA2AError,
  type SendMessageRequest,
  type SendMessageResponse,
} from '@holdword/protocol';
import { quotedMessage } from '@holdword/protocol/internal';
import { retryDelay } from '../basics/retries.ts';
import type { PeerCallOptions } from '../peers/peer.ts';
import { callFailure, isTimeout, withAdvice } from './call-failure.ts';
import type { Connect } from './follow-task.ts';
import type { TimeLimit } from './time-limit.ts';

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
  let idempotent = false;
  for (let attempt = 0; ; attempt += 1) {
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
      mayBeThere ||= isConnected && mayHaveReached(error);
      limit.throwIfAborted();
      retries.throwIfAborted();
      const delay = retryDelay(attempt, error);
      const isUnreachable = isConnectionError(error) && !error.sent && attempt + 1 >= MAX_CONNECT_ATTEMPTS;
      const isFinal = retries.isExpired || delay >= retries.millisecondsLeft || isUnreachable;
      if (isFinal || !mayRepeat(error, idempotent)) {
        throw explain(error, mayBeThere ? { message: request.message, idempotent } : undefined);
      }
      await retries.pause(delay);
    }
  }
}

/** After these errors of an agent, the work may have been done. All others say that the message was not accepted. */
const UNKNOWN_OUTCOME: ReadonlySet<A2AErrorCode> = new Set([
  'INTERNAL',
  'UNAVAILABLE',
  'INVALID_AGENT_RESPONSE',
]);

/** Whether the agent may have received the message of a request that failed, and acted on it. The only place that decides this. */
function mayHaveReached(error: unknown): boolean {
  if (isConnectionError(error)) return error.sent;
  if (isForbiddenUrlError(error)) return false;
  return !isA2AError(error) || UNKNOWN_OUTCOME.has(error.code);
}

function mayRepeat(error: unknown, idempotent: boolean): boolean {
  if (isConnectionError(error)) return idempotent || !error.sent;
  if (!isA2AError(error)) return false;
  return error.code === 'RESOURCE_EXHAUSTED' || (error.code === 'UNAVAILABLE' && idempotent);
}

/** A message of which nobody knows whether it arrived. */
interface UncertainMessage {
  readonly message: Pick<SendMessageRequest['message'], 'messageId' | 'taskId'>;
  /** Whether the agent recognizes the message if it is sent again. */
  readonly idempotent: boolean;
}

/** The same, with the failure of its request. */
export interface UncertainSend extends UncertainMessage {
  /** What happened, in a sentence without advice. */
  readonly happened: string;
}

/** What is known about errors of `sendReliably`: undefined if the message was certainly not accepted in any attempt. */
const OUTCOMES = new WeakMap<object, UncertainSend | undefined>();

/** What is known about a message that may have arrived, if that is why this error was thrown. */
export function uncertainSendOf(error: unknown): UncertainSend | undefined {
  return typeof error === 'object' && error !== null ? OUTCOMES.get(error) : undefined;
}

/** Whether a message that failed with this error may have been delivered. */
export function mayHaveArrived(error: unknown): boolean {
  const isExplained = typeof error === 'object' && error !== null && OUTCOMES.has(error);
  return isExplained ? OUTCOMES.get(error) !== undefined : mayHaveReached(error);
}

/** The failure of a send. Errors of the agent stay as they are; see `withUncertainty`. */
function explain(error: unknown, uncertain: UncertainMessage | undefined): unknown {
  const isSilence = isConnectionError(error) || isTimeout(error);
  const why = isConnectionError(error) ? error.message : 'the request timed out';
  const happened = `The agent did not answer the message: ${why}.`;
  const advice = uncertain ? adviceFor(uncertain) : NOT_SENT;
  const failure = isSilence
    ? new A2AError('UNAVAILABLE', `${happened} ${advice}`, { cause: error })
    : callFailure(error);
  if (!(failure instanceof Error)) return failure;
  OUTCOMES.set(
    failure,
    uncertain && { ...uncertain, happened: isSilence ? happened : quotedMessage(failure) },
  );
  return failure;
}

const NOT_SENT = 'It was not sent. Check that the agent is running, then try again.';

function adviceFor({ idempotent, message: { messageId, taskId } }: UncertainMessage): string {
  if (idempotent) {
    return 'It may have been delivered. Send the same message again: the agent processes it only once.';
  }
  const look =
    taskId === undefined ? 'Look for its task with listTasks' : `Look at task "${taskId}" with getTask`;
  return `It may have been delivered. Sending it again may duplicate the work. ${look} first; if it did not arrive, send it again with the messageId "${messageId}".`;
}

/** Says in an error of the agent as well that the message may have arrived. For programs; models get `uncertainSendOf`. */
export function withUncertainty(error: unknown): unknown {
  const uncertain = uncertainSendOf(error);
  if (uncertain === undefined || !isA2AError(error)) return withAdvice(error);
  const { code, fields, metadata, retryAfterSeconds } = error;
  const failure = new A2AError(code, `${uncertain.happened} ${adviceFor(uncertain)}`, {
    fields: [...fields],
    metadata: { ...metadata, messageId: uncertain.message.messageId },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    cause: error,
  });
  OUTCOMES.set(failure, uncertain);
  return failure;
}
