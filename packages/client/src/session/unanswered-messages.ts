import { createHash, randomUUID } from 'node:crypto';
import type { Message, Part } from '@holdword/protocol';
import { asObject, messageSchema } from '@holdword/protocol/internal';
import type { TaskStore } from '../stores/task-store.ts';

/** What a caller wants said, before it has an id. */
export interface Intent {
  agentId: string;
  parts: Part[];
  contextId?: string;
  taskId?: string;
  /** Of the caller's own choice. */
  messageId?: string;
}

export interface UnansweredMessage {
  /** The same message for the same intent, until it was answered. */
  message: Message;
  /** It was answered, or refused for good. */
  settle(): Promise<void>;
  /** Nobody knows whether it arrived. */
  release(): void;
}

const PREFIX = 'unanswered-';
const NOTE = 'urn:holdword:client:unanswered:v1';
const MAX_AGE_MILLISECONDS = 24 * 60 * 60 * 1000;

/**
 * Messages on their way, kept before they are sent.
 *
 * Responsible for the id of a message: when a send got no answer, or the process died in between, the same call made
 * again sends the very same message, so that an agent with the idempotency extension makes one task of both (J8 on the
 * other side). Calls that run side by side are different intents, however alike. Records lie in the task store as tasks
 * with the message as their history; nobody but this file reads them.
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
          // A store that cannot delete: the record says itself that it is done.
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

/** A new conversation gets its id here; a message to a task belongs to the conversation of that. */
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

/** The same for the same intent, whoever asks and whenever. */
function recordId({ agentId, parts, contextId, taskId, messageId }: Intent): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify([agentId, parts, contextId ?? null, taskId ?? null, messageId ?? null]));
  return `${PREFIX}${hash.digest('hex').slice(0, 32)}`;
}
