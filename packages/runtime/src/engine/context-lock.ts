import { createHash } from 'node:crypto';
import type { Store } from '@holdword/store';
import * as z from 'zod';
import { contextLockKey } from './context-lock-key.ts';
import { newId } from './new-id.ts';

/** Which process holds the lock, and for a turn of which task. The id makes every turn's record unique. */
const LockSchema = z.object({ id: z.string(), holder: z.string(), taskId: z.string() });
type LockRecord = z.infer<typeof LockSchema>;

const NAMESPACE = 'running-contexts';

export type LockStore = Pick<Store, 'getRecord' | 'replaceRecord' | 'deleteRecord' | 'isAlive'>;

/** The turn that needs the lock, identified by its task, which need not exist yet. */
export interface TurnInContext {
  readonly taskId: string;
  readonly owner: string;
  readonly contextId: string;
}

/**
 * The lock of one context, as one turn uses it, among processes that share a store.
 *
 * Responsible for one turn per context at a time (J10): of several processes that try to acquire it at once, the store
 * lets one succeed, and the lock is held until the turn has ended or its process has died. Leaves the order of turns
 * inside a process to its queue, so a lock that this process left behind counts as free, and the order among processes
 * to `acquireContext`.
 */
export class ContextLock {
  readonly #store: LockStore;
  readonly #key: string;
  readonly #record: LockRecord;
  readonly #value: string;

  constructor(store: LockStore, holder: string, { taskId, owner, contextId }: TurnInContext) {
    this.#store = store;
    // Callers choose context ids, and may choose one that is too long for an index.
    this.#key = createHash('sha256').update(contextLockKey(owner, contextId)).digest('hex');
    this.#record = { id: newId(), holder, taskId };
    this.#value = JSON.stringify(this.#record);
  }

  /** Acquires the lock, or returns the task of the other process's turn that holds it. */
  async acquire(): Promise<string | undefined> {
    // Most contexts are free, so the record is read only if the write finds one.
    let current: string | undefined;
    while (!(await this.#store.replaceRecord(NAMESPACE, this.#key, current, this.#value))) {
      current = await this.#store.getRecord(NAMESPACE, this.#key);
      if (current === undefined) continue;
      const { holder, taskId } = LockSchema.parse(JSON.parse(current));
      if (holder !== this.#record.holder && (await this.#store.isAlive(holder))) return taskId;
    }
    return undefined;
  }

  /** The turn has ended or will not start. */
  async release(): Promise<void> {
    await this.#store.deleteRecord(NAMESPACE, this.#key, this.#value);
  }
}
