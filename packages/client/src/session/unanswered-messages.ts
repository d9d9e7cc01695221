import { createHash, randomUUID } from 'node:crypto';
import type { Message, Part } from '@holdword/protocol';
import { asObject, messageSchema } from '@holdword/protocol/internal';
import type { NoteStore } from '../stores/task-store.ts';
import { storeFailure } from './saved-tasks.ts';

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
  /** Call it when the message was answered, definitely rejected, or not delivered. */
  settle(): Promise<void>;
  /** Call it when it is unknown whether the message was delivered. */
  release(): void;
}

const PREFIX = 'unanswered-';
const MAX_AGE_MILLISECONDS = 24 * 60 * 60 * 1000;

/**
 * Messages that are in flight, noted before they are sent.
 *
 * Responsible for message ids: if a send gets no response or the process dies, repeating the call sends the same message,
 * so that an agent with the idempotency extension creates one task for both (J8 on the server). Concurrent calls are
 * different intents, even with the same content. Notes that are older than a day are removed on first use.
 */
export class UnansweredMessages {
  readonly #notes: NoteStore;
  readonly #inFlight = new Set<string>();
  #swept: Promise<void> | undefined;

  constructor(notes: NoteStore) {
    this.#notes = notes;
  }

  async begin(intent: Intent): Promise<UnansweredMessage> {
    await (this.#swept ??= this.#sweep());
    const key = this.#free(keyOf(intent));
    this.#inFlight.add(key);
    try {
      const message = (await this.#find(key)) ?? compose(intent);
      await this.#notes.write(key, JSON.stringify({ key, at: Date.now(), message }));
      return {
        message,
        settle: async () => {
          this.#inFlight.delete(key);
          // The agent's answer matters more than a note that is removed later.
          await this.#notes.remove(key).catch(() => {});
        },
        release: () => void this.#inFlight.delete(key),
      };
    } catch (error) {
      this.#inFlight.delete(key);
      throw storeFailure('note the message, so it was not sent', error);
    }
  }

  #free(key: string): string {
    let candidate = key;
    for (let copy = 2; this.#inFlight.has(candidate); copy += 1) candidate = `${key}-${copy}`;
    return candidate;
  }

  async #find(key: string): Promise<Message | undefined> {
    const note = readNote(await this.#notes.read(key));
    if (isOld(note)) return undefined;
    const message = messageSchema.safeParse(note['message']);
    return message.success ? message.data : undefined;
  }

  /** Removes what calls left behind that were never repeated. */
  async #sweep(): Promise<void> {
    try {
      const notes = (await this.#notes.list?.()) ?? [];
      for (const note of notes.map(readNote)) {
        const { key } = note;
        if (typeof key === 'string' && key.startsWith(PREFIX) && isOld(note)) await this.#notes.remove(key);
      }
    } catch {
      // Old notes do no harm. A store that does not work is reported when the message is noted.
    }
  }
}

function readNote(text: string | undefined): Record<string, unknown> {
  try {
    return asObject(JSON.parse(text ?? ''));
  } catch {
    return {};
  }
}

function isOld({ at }: Record<string, unknown>): boolean {
  return typeof at !== 'number' || Date.now() - at > MAX_AGE_MILLISECONDS;
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

/** A stable key of the intent. */
function keyOf({ agentId, parts, contextId, taskId, messageId }: Intent): string {
  return `${PREFIX}${digest([agentId, parts, contextId ?? null, taskId ?? null, messageId ?? null])}`;
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);
}
