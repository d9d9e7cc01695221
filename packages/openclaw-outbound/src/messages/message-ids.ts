import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readRecord } from '../state/read-record.ts';
import type { StateStore } from '../state/state-store.ts';

const recordSchema = z.object({ messageId: z.string(), at: z.number() });

interface Entry {
  readonly messageId: string;
  readonly toolCallId: string;
  at: number;
  state: 'under way' | 'unanswered' | 'answered';
}

/** A message on its way. */
export interface PendingMessage {
  readonly messageId: string;
  /** It was answered, or refused for good. */
  settle(): void;
  /** Nobody knows whether it arrived. */
  leave(): void;
}

const NAMESPACE = 'unanswered';
const LONGEST_AGE = 24 * 60 * 60 * 1000;
/** How long the same tool call counts as made again, not as a new one: hosts number calls anew in each turn. */
const SAME_CALL = 60_000;
/** A message that is answered sooner is never written down. */
const WRITE_AFTER = 250;

/**
 * The ids of messages.
 *
 * Responsible for one id per intent: when a send got no answer, or the process died meanwhile, the same call made again
 * by the model carries the same id, so that an agent that knows ids of messages makes one task of both. A message that
 * was answered is over: saying the same again is a new one. Calls that run side by side are different, however alike.
 */
export class MessageIds {
  readonly #state: StateStore;
  readonly #entries = new Map<string, Entry>();
  #loading: Promise<void> | undefined;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** `intent` is everything that makes two messages the same to their agent, and who says it. */
  async begin(intent: readonly unknown[], toolCallId: string): Promise<PendingMessage> {
    const key = createHash('sha256').update(JSON.stringify(intent)).digest('base64url');
    await (this.#loading ??= this.#load());
    const known = this.#entries.get(key);
    const other = known !== undefined && known.toolCallId !== toolCallId;
    if (known?.state === 'under way' && other) return untracked();
    const entry: Entry = {
      messageId: known !== undefined && mayRepeat(known, other) ? known.messageId : randomUUID(),
      toolCallId,
      at: Date.now(),
      state: 'under way',
    };
    this.#forgetOld();
    this.#entries.set(key, entry);
    let written = known?.state === 'unanswered';
    const timer = setTimeout(() => {
      written = true;
      this.#write(key, entry);
    }, WRITE_AFTER);
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
      leave: () => {
        end('unanswered');
        this.#write(key, entry);
      },
    };
  }

  #write(key: string, { messageId, at }: Entry): void {
    this.#state.write(NAMESPACE, key, JSON.stringify({ messageId, at }));
  }

  async #load(): Promise<void> {
    for (const { key, value } of await this.#state.list(NAMESPACE)) {
      const record = readRecord(recordSchema, value);
      if (record !== undefined && Date.now() - record.at <= LONGEST_AGE) {
        this.#entries.set(key, { ...record, toolCallId: '', state: 'unanswered' });
      } else this.#state.remove(NAMESPACE, key);
    }
  }

  #forgetOld(): void {
    const now = Date.now();
    for (const [key, { state, at }] of this.#entries) {
      const age = state === 'answered' ? SAME_CALL : LONGEST_AGE;
      if (state !== 'under way' && now - at > age) this.#entries.delete(key);
    }
  }
}

function mayRepeat({ state, at }: Entry, other: boolean): boolean {
  const age = Date.now() - at;
  if (state === 'unanswered') return age <= LONGEST_AGE;
  return !other && age <= SAME_CALL;
}

function untracked(): PendingMessage {
  return { messageId: randomUUID(), settle: () => {}, leave: () => {} };
}
