import { createHash, randomUUID } from 'node:crypto';
import { isConnectionError, isForbiddenUrlError } from '@holdword/net/internal';
import {
  A2AError,
  isA2AError,
  type Message,
  type Part,
  type SendMessageRequest,
  type SendMessageResponse,
} from '@holdword/protocol';
import { asObject, messageSchema } from '@holdword/protocol/internal';
import type { PeerCallOptions } from '../peers/peer.ts';
import type { TaskStore } from '../stores/task-store.ts';
import type { Connect } from './follow-task.ts';
import { retryDelay, type TimeLimit } from './time-limit.ts';

/** Connection attempts to an unreachable agent: about two seconds, enough for a restart. */
const MAX_CONNECT_ATTEMPTS = 5;

/**
 * Sends a message and returns the agent's immediate response. A message without a response is resent only if that cannot
 * duplicate the work: it was not sent, the agent was overloaded, or the agent has the idempotency extension.
 */
export async function sendReliably(
  connect: Connect,
  request: SendMessageRequest,
  limit: TimeLimit,
  options: Pick<PeerCallOptions, 'headers'> = {},
): Promise<SendMessageResponse> {
  for (let attempt = 0; ; attempt += 1) {
    let idempotent = false;
    try {
      const { peer, extensions } = await connect(attempt);
      idempotent = extensions.idempotency;
      return await peer.send(request, {
        ...options,
        signal: limit.signal,
        timeoutMilliseconds: limit.millisecondsLeft,
      });
    } catch (error) {
      limit.throwIfAborted();
      const delay = retryDelay(attempt, error);
      const isUnreachable = isConnectionError(error) && !error.sent && attempt + 1 >= MAX_CONNECT_ATTEMPTS;
      const isFinal = limit.isExpired || delay >= limit.millisecondsLeft || isUnreachable;
      if (isFinal || !mayRepeat(error, idempotent)) throw explain(error, idempotent);
      await limit.pause(delay);
    }
  }
}

/** Whether a message that failed with this error may have been delivered. */
export function mayHaveArrived(error: unknown): boolean {
  return !isA2AError(error) || error.code === 'UNAVAILABLE' || error.code === 'INTERNAL';
}

function mayRepeat(error: unknown, idempotent: boolean): boolean {
  if (isConnectionError(error)) return idempotent || !error.sent;
  if (!isA2AError(error)) return false;
  return error.code === 'RESOURCE_EXHAUSTED' || (error.code === 'UNAVAILABLE' && idempotent);
}

function explain(error: unknown, idempotent: boolean): unknown {
  if (!isConnectionError(error) && !isTimeout(error)) return callFailure(error);
  const happened = isConnectionError(error) ? error.message : 'the request timed out';
  const arrived = !isConnectionError(error) || error.sent;
  const advice = !arrived
    ? 'It was not sent. Check that the agent is running, then try again.'
    : idempotent
      ? 'It may have been delivered. Send the same message again: the agent processes it only once.'
      : 'It may have been delivered. Sending it again may duplicate the work.';
  return new A2AError('UNAVAILABLE', `The agent did not answer the message: ${happened}. ${advice}`, {
    cause: error,
  });
}

/** A message to send, before it has an id. */
export interface Intent {
  agentId: string;
  parts: Part[];
  contextId?: string;
  taskId?: string;
  /** Chosen by the caller. */
  messageId?: string;
}

interface UnansweredMessage {
  /** The same message for the same intent, until it is answered. */
  message: Message;
  /** Call it when the message was answered or definitely rejected. */
  settle(): Promise<void>;
  /** Call it when it is unknown whether the message was delivered. */
  release(): void;
}

const PREFIX = 'unanswered-';
const NOTE = 'urn:holdword:client:unanswered:v1';
const MAX_AGE_MILLISECONDS = 24 * 60 * 60 * 1000;

/**
 * Messages that are in flight, stored before they are sent.
 *
 * Responsible for message ids: if a send gets no response or the process dies, repeating the call sends the same message,
 * so that an agent with the idempotency extension creates one task for both (J8 on the server). Concurrent calls are
 * different intents, even with the same content. Records are stored in the task store as tasks with the message as their
 * history; only this file reads them.
 */
export class UnansweredMessages {
  readonly #store: TaskStore;
  readonly #inFlight = new Set<string>();

  constructor(store: TaskStore) {
    this.#store = store;
  }

  async begin(intent: Intent): Promise<UnansweredMessage> {
    const id = this.#free(recordId(intent));
    this.#inFlight.add(id);
    try {
      const message = (await this.#find(id)) ?? compose(intent);
      await this.#store.save({
        id,
        contextId: message.contextId ?? id,
        status: { state: 'TASK_STATE_SUBMITTED' },
        history: [message],
        metadata: { [NOTE]: { at: Date.now() } },
      });
      return {
        message,
        settle: async () => {
          await this.#store.delete?.(id);
          this.#inFlight.delete(id);
          // A store without delete: the record is overwritten as completed.
          if (this.#store.delete === undefined) await this.#store.save(settled(id, message));
        },
        release: () => void this.#inFlight.delete(id),
      };
    } catch (error) {
      this.#inFlight.delete(id);
      throw error;
    }
  }

  #free(id: string): string {
    let candidate = id;
    for (let copy = 2; this.#inFlight.has(candidate); copy += 1) candidate = `${id}-${copy}`;
    return candidate;
  }

  async #find(id: string): Promise<Message | undefined> {
    const record = await this.#store.load(id);
    const { at } = asObject(record?.metadata?.[NOTE]);
    if (typeof at !== 'number' || Date.now() - at > MAX_AGE_MILLISECONDS) return undefined;
    const message = messageSchema.safeParse(record?.history?.[0]);
    return message.success ? message.data : undefined;
  }
}

function settled(id: string, message: Message): Parameters<TaskStore['save']>[0] {
  return { id, contextId: message.contextId ?? id, status: { state: 'TASK_STATE_COMPLETED' } };
}

/**
 * A new conversation gets its id here; a message to a task belongs to the task's conversation. The same `messageId` starts
 * the same conversation: with another one, the agent would take it for a different message under the same id.
 */
function compose({ parts, contextId, taskId, messageId }: Intent): Message {
  const newContext = messageId === undefined ? randomUUID() : digest(['context', messageId]);
  const context = contextId ?? (taskId === undefined ? newContext : undefined);
  return {
    messageId: messageId ?? randomUUID(),
    role: 'ROLE_USER',
    parts,
    ...(context !== undefined && { contextId: context }),
    ...(taskId !== undefined && { taskId }),
  };
}

/** A stable id of the intent. */
function recordId({ agentId, parts, contextId, taskId, messageId }: Intent): string {
  return `${PREFIX}${digest([agentId, parts, contextId ?? null, taskId ?? null, messageId ?? null])}`;
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}

/** Converts a failure of the agent or of the connection to an A2AError; returns other errors unchanged. */
export function callFailure(error: unknown): unknown {
  if (isConnectionError(error)) {
    const text = `The agent cannot be reached: ${error.message}. Check that it is running, then try again.`;
    return new A2AError('UNAVAILABLE', text, { cause: error });
  }
  if (isForbiddenUrlError(error)) {
    const text = `The agent cannot be called: the address in its card is not allowed because ${error.message}.`;
    return new A2AError('PERMISSION_DENIED', text, { cause: error });
  }
  if (isTimeout(error)) {
    return new A2AError(
      'UNAVAILABLE',
      'The agent did not answer in time. Try again, or allow it more time.',
      {
        cause: error,
      },
    );
  }
  return error;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}
