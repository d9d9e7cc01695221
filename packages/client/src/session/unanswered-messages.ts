import { createHash, randomUUID } from 'node:crypto';
import type { Message, Part } from '@holdword/protocol';
import { asObject, messageSchema } from '@holdword/protocol/internal';
import type { TaskStore } from '../stores/task-store.ts';

/** A message to send, before it has an id. */
export interface Intent {
  agentId: string;
  parts: Part[];
  contextId?: string;
  taskId?: string;
  /** Chosen by the caller. */
  messageId?: string;
}

export interface UnansweredMessage {
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

/** A new conversation gets its id here; a message to a task belongs to the task's conversation. */
function compose({ parts, contextId, taskId, messageId }: Intent): Message {
  const context = contextId ?? (taskId === undefined ? randomUUID() : undefined);
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
  const hash = createHash('sha256');
  hash.update(JSON.stringify([agentId, parts, contextId ?? null, taskId ?? null, messageId ?? null]));
  return `${PREFIX}${hash.digest('hex').slice(0, 32)}`;
}
