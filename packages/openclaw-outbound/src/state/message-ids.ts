import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readRecord, type StateStore } from './state-store.ts';

const recordSchema = z.object({ messageId: z.string(), at: z.number(), task: z.string().optional() });

interface Entry {
  readonly messageId: string;
  readonly toolCallId: string;
  at: number;
  state: 'in flight' | 'unanswered' | 'answered';
  /** The task of an unanswered message, if it is known. */
  task?: string | undefined;
}

/** A message being sent. */
export interface PendingMessage {
  readonly messageId: string;
  /** The message was answered or definitely rejected. */
  settle(): void;
  /** The message has no answer yet, or it is unknown whether it arrived. `task` identifies its task, if it is known. */
  keepForRetry(task?: string): void;
}

const NAMESPACE = 'unanswered';
const MAX_AGE_MILLISECONDS = 24 * 60 * 60 * 1000;
/** How long a repeated tool call id counts as a retry: hosts may reuse ids in a later turn. */
const SAME_CALL_MILLISECONDS = 60_000;
/** A message answered within this time is never written to disk. */
const WRITE_DELAY_MILLISECONDS = 250;

/**
 * Message ids.
 *
 * Responsible for one id per intent: if a send got no answer, or the process died, the same call repeated by the model uses
 * the same id, so that an agent with idempotency creates one task. Repeating an answered message gets a new id, and so does
 * repeating one whose task the model has followed up on. Concurrent calls always get different ids.
 */
export class MessageIds {
  readonly #state: StateStore;
  readonly #entries = new Map<string, Entry>();
  #loading: Promise<void> | undefined;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** `intent` is everything that identifies the message: session, target and content. */
  async begin(intent: readonly unknown[], toolCallId: string): Promise<PendingMessage> {
    const key = createHash('sha256').update(JSON.stringify(intent)).digest('base64url');
    await (this.#loading ??= this.#load());
    const known = this.#entries.get(key);
    const isOtherCall = known !== undefined && known.toolCallId !== toolCallId;
    if (known?.state === 'in flight' && isOtherCall) return untracked();
    const entry: Entry = {
      messageId: known !== undefined && isRetry(known, isOtherCall) ? known.messageId : randomUUID(),
      toolCallId,
      at: Date.now(),
      state: 'in flight',
    };
    this.#evictOld();
    this.#entries.set(key, entry);
    let written = known?.state === 'unanswered';
    const timer = setTimeout(() => {
      written = true;
      this.#write(key, entry);
    }, WRITE_DELAY_MILLISECONDS);
    timer.unref();
    const end = (state: Entry['state']): void => {
      clearTimeout(timer);
      entry.at = Date.now();
      entry.state = state;
    };
    return {
      messageId: entry.messageId,
      settle: () => {
        end('answered');
        if (written) this.#state.remove(NAMESPACE, key);
      },
      keepForRetry: (task) => {
        entry.task = task;
        end('unanswered');
        this.#write(key, entry);
      },
    };
  }

  /** The model follows up on a task: a repeated message would not be a retry any more. */
  async settleTask(task: string): Promise<void> {
    await (this.#loading ??= this.#load());
    for (const [key, entry] of this.#entries) {
      if (entry.state !== 'unanswered' || entry.task !== task) continue;
      this.#entries.delete(key);
      this.#state.remove(NAMESPACE, key);
    }
  }

  #write(key: string, { messageId, at, task }: Entry): void {
    this.#state.write(NAMESPACE, key, JSON.stringify({ messageId, at, task }));
  }

  async #load(): Promise<void> {
    for (const { key, value } of await this.#state.list(NAMESPACE)) {
      const record = readRecord(recordSchema, value);
      if (record !== undefined && Date.now() - record.at <= MAX_AGE_MILLISECONDS) {
        this.#entries.set(key, { ...record, toolCallId: '', state: 'unanswered' });
      } else this.#state.remove(NAMESPACE, key);
    }
  }

  #evictOld(): void {
    const now = Date.now();
    for (const [key, { state, at }] of this.#entries) {
      const age = state === 'answered' ? SAME_CALL_MILLISECONDS : MAX_AGE_MILLISECONDS;
      if (state !== 'in flight' && now - at > age) this.#entries.delete(key);
    }
  }
}

function isRetry({ state, at }: Entry, isOtherCall: boolean): boolean {
  const age = Date.now() - at;
  if (state === 'unanswered') return age <= MAX_AGE_MILLISECONDS;
  return !isOtherCall && age <= SAME_CALL_MILLISECONDS;
}

function untracked(): PendingMessage {
  return { messageId: randomUUID(), settle: () => {}, keepForRetry: () => {} };
}
