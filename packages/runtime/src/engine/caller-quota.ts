import type { OwnerUsage, Store } from '@holdword/store';
import { limitExceeded } from '../caller-limits.ts';
import { identityOf, type Owner, ownerKey } from '../owner.ts';

export interface QuotaOptions {
  /** Tasks that one caller may have in the store; 0 for no limit. */
  maxTasks: number;
  /** Bytes that the tasks of one caller may take up; 0 for no limit. */
  maxBytes: number;
}

interface KnownUsage extends OwnerUsage {
  readonly owners: Set<string>;
  readonly goodUntil: number;
}

const OWNERS = 'quota-owners';
/** Figures are this old at most, or a twentieth of the time may go into reading them. */
const GOOD_MILLISECONDS = 1_000;
const PART_OF_TIME = 20;
const MOST_CALLERS = 10_000;
/** The record of an owner is written before its first task. */
const TASK_MAY_COME_MILLISECONDS = 60_000;

/**
 * Rejects messages of callers who have stored too much.
 *
 * Responsible for the sum over the tenants that a caller has named, because naming another one must not raise its quota; the
 * tenants are kept as records, so that a restart forgets none. Leaves the figures of an owner to the store, which keeps them
 * up to date with every commit of every process. A running task is never stopped: what an agent says is kept.
 */
export class CallerQuota {
  readonly #store: Store;
  readonly #options: QuotaOptions;
  readonly #known = new Map<string, Promise<KnownUsage>>();

  constructor(store: Store, options: QuotaOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** @throws A2AError RESOURCE_EXHAUSTED if the caller has no room for another task, or for another message. */
  async requireRoom(owner: Owner, { isNewTask }: { isNewTask: boolean }): Promise<void> {
    const identity = identityOf(owner);
    if (identity === undefined) return;
    const { maxTasks, maxBytes } = this.#options;
    const usage = await this.#usageOf(identity);
    const key = ownerKey(owner);
    const isFirst = !usage.owners.has(key);
    if (isFirst) {
      usage.owners.add(key);
      // It may have tasks from the time before there was a limit.
      const { tasks, bytes } = await this.#store.readUsage(key);
      usage.tasks += tasks;
      usage.bytes += bytes;
    }
    if (isNewTask && maxTasks > 0 && usage.tasks >= maxTasks) {
      throw exceeded(
        'tasksPerCaller',
        `You have ${usage.tasks} stored tasks, and your limit is ${maxTasks}. You can still continue, read and cancel them.`,
      );
    }
    if (maxBytes > 0 && usage.bytes >= maxBytes) {
      throw exceeded(
        'storedBytesPerCaller',
        `Your tasks take up ${usage.bytes} bytes, and your limit is ${maxBytes}. You can still read and cancel them.`,
      );
    }
    // Until the figures are read again.
    if (isNewTask) usage.tasks += 1;
    if (isFirst) await this.#store.putRecord(OWNERS, `${JSON.stringify(identity)}${key}`, String(Date.now()));
  }

  /** Requests that arrive together wait for one reading. */
  async #usageOf(identity: string): Promise<KnownUsage> {
    let reading: Promise<KnownUsage> | undefined;
    do {
      reading = this.#known.get(identity);
      const known = await reading;
      if (known !== undefined && performance.now() < known.goodUntil) return known;
    } while (reading !== this.#known.get(identity));
    reading = this.#read(identity);
    // Deleted and inserted again: the map is ordered by the last reading.
    this.#known.delete(identity);
    this.#known.set(identity, reading);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_CALLERS && oldest !== undefined) this.#known.delete(oldest);
    reading.catch(() => this.#known.delete(identity));
    return reading;
  }

  async #read(identity: string): Promise<KnownUsage> {
    const startedAt = performance.now();
    const prefix = JSON.stringify(identity);
    const owners = new Set<string>();
    const usage = { tasks: 0, bytes: 0 };
    for (const { key, value } of await this.#store.listRecords(OWNERS, prefix)) {
      const owner = key.slice(prefix.length);
      const { tasks, bytes } = await this.#store.readUsage(owner);
      usage.tasks += tasks;
      usage.bytes += bytes;
      const isEmpty = tasks === 0 && Number(value) < Date.now() - TASK_MAY_COME_MILLISECONDS;
      if (isEmpty) await this.#store.deleteRecord(OWNERS, key, value);
      else owners.add(owner);
    }
    const now = performance.now();
    const goodUntil = now + Math.max(GOOD_MILLISECONDS, PART_OF_TIME * (now - startedAt));
    return { ...usage, owners, goodUntil };
  }
}

/** It does not say when to retry: waiting frees nothing. */
function exceeded(limit: string, found: string) {
  return limitExceeded(
    { limit, scope: 'caller' },
    `${found} Ask the operator to remove ended tasks (retention) or to raise limits.${limit}.`,
  );
}
