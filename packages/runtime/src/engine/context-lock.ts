import { createHash } from 'node:crypto';
import type { Store } from '@holdword/store';
import * as z from 'zod';
import { contextLockKey } from './context-lock-key.ts';
import { newId } from './new-id.ts';

/** Which process has the context, and for the turn of which task. The id makes each turn's record one of a kind. */
const LockSchema = z.object({ id: z.string(), holder: z.string(), taskId: z.string() });
type LockRecord = z.infer<typeof LockSchema>;

const NAMESPACE = 'running-contexts';

export type LockStore = Pick<Store, 'getRecord' | 'replaceRecord' | 'deleteRecord' | 'isAlive'>;

/** The turn that wants a context, by its task; there need not be one yet. */
export interface TurnInContext {
  readonly taskId: string;
  readonly owner: string;
  readonly contextId: string;
}

/**
 * A context, as one turn wants it, among processes that share a store.
 *
 * Responsible for one turn in a context at a time (J10): the store lets one of several that take it at once have its way, and
 * it is held until the turn has ended or its process is gone. Leaves the order of turns within a process to its queue: what
 * this process left behind is free. Leaves who goes first to `acquireContext`.
 */
export class ContextLock {
  readonly #store: LockStore;
  readonly #key: string;
  readonly #record: LockRecord;
  readonly #value: string;

  constructor(store: LockStore, holder: string, { taskId, owner, contextId }: TurnInContext) {
    this.#store = store;
    // A caller chooses the name of its context, and may choose a longer one than an index takes.
    this.#key = createHash('sha256').update(contextLockKey(owner, contextId)).digest('hex');
    this.#record = { id: newId(), holder, taskId };
    this.#value = JSON.stringify(this.#record);
  }

  /** Takes it; where a turn of another process has it, the task of that turn. */
  async acquire(): Promise<string | undefined> {
    // Most contexts are free: what stands there is read only where something does.
    let current: string | undefined;
    while (!(await this.#store.replaceRecord(NAMESPACE, this.#key, current, this.#value))) {
      current = await this.#store.getRecord(NAMESPACE, this.#key);
      if (current === undefined) continue;
      const { holder, taskId } = LockSchema.parse(JSON.parse(current));
      if (holder !== this.#record.holder && (await this.#store.isAlive(holder))) return taskId;
    }
    return undefined;
  }

  /** The turn has ended or does not begin. */
  async release(): Promise<void> {
    await this.#store.deleteRecord(NAMESPACE, this.#key, this.#value);
  }
}
