import { randomUUID } from 'node:crypto';
import { readRecord } from '../state/read-record.ts';
import type { StateStore } from '../state/state-store.ts';
import { addressKey, type TargetAddress } from '../targets/target.ts';
import { handleEntrySchema, type HandleEntry } from './handle-entry.ts';

export interface TaskHandlesOptions {
  readonly ttlMs: number;
  readonly maxEntries: number;
  readonly state: StateStore;
  readonly now?: () => number;
}

/** A task as an answer shows it. */
export interface SeenTask {
  readonly address: TargetAddress;
  readonly alias?: string | undefined;
  readonly taskId: string;
  readonly contextId?: string | undefined;
  readonly state?: string | undefined;
  readonly stateSince?: string | undefined;
}

const NAMESPACE = 'task-handles';

/**
 * Short names for tasks at other agents.
 *
 * Responsible for one name per task, for a life that begins anew with every answer about the task, and for forgetting the
 * ones that were not used for the longest time. They live in memory and are written behind; a handle that another process
 * made is looked up. Losing all of them loses no task: a continuation says where its task is.
 */
export class TaskHandles {
  readonly #options: TaskHandlesOptions;
  /** In the order of their last use. */
  readonly #entries = new Map<string, HandleEntry>();
  readonly #byTask = new Map<string, string>();
  #loading: Promise<void> | undefined;

  constructor(options: TaskHandlesOptions) {
    this.#options = options;
  }

  /** The task has been heard of: its handle, which lives on from now. */
  async bind(seen: SeenTask): Promise<string> {
    await this.#load();
    const task = taskKey(seen);
    const known = this.#byTask.get(task);
    const earlier = known === undefined ? undefined : this.#entries.get(known);
    const now = this.#now();
    const entry: HandleEntry = {
      ...earlier,
      ...definedOf(seen),
      handle: earlier?.handle ?? `rah_${randomUUID()}`,
      expiresAt: now + this.#options.ttlMs,
      usedAt: now,
    };
    this.#keep(entry);
    this.#options.state.write(NAMESPACE, entry.handle, JSON.stringify(entry));
    this.#forgetOldest();
    return entry.handle;
  }

  /** What the handle stands for, whether or not it still lives; undefined when it is not known. */
  async look(handle: string): Promise<{ entry: HandleEntry; isAlive: boolean } | undefined> {
    const entry = await this.#find(handle);
    return entry && { entry, isAlive: entry.expiresAt > this.#now() };
  }

  async #find(handle: string): Promise<HandleEntry | undefined> {
    await this.#load();
    if (!this.#entries.has(handle)) {
      const entry = readRecord(handleEntrySchema, await this.#options.state.read(NAMESPACE, handle));
      if (entry !== undefined) this.#keep(entry);
    }
    const entry = this.#entries.get(handle);
    if (entry !== undefined) this.#keep({ ...entry, usedAt: this.#now() });
    return entry;
  }

  #load(): Promise<void> {
    this.#loading ??= this.#read();
    return this.#loading;
  }

  async #read(): Promise<void> {
    const records = await this.#options.state.list(NAMESPACE);
    const entries = records.flatMap(({ value }) => readRecord(handleEntrySchema, value) ?? []);
    for (const entry of entries.toSorted((left, right) => left.usedAt - right.usedAt)) this.#keep(entry);
    this.#forgetOldest();
  }

  #keep(entry: HandleEntry): void {
    this.#entries.delete(entry.handle);
    this.#entries.set(entry.handle, entry);
    this.#byTask.set(taskKey(entry), entry.handle);
  }

  #forgetOldest(): void {
    for (const [handle, entry] of this.#entries) {
      if (this.#entries.size <= this.#options.maxEntries) return;
      this.#entries.delete(handle);
      this.#byTask.delete(taskKey(entry));
      this.#options.state.remove(NAMESPACE, handle);
    }
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}

function taskKey({ address, taskId }: Pick<SeenTask, 'address' | 'taskId'>): string {
  return JSON.stringify([addressKey(address), taskId]);
}

/** A field that an answer does not have says nothing against what was known before. */
function definedOf({ address, taskId, ...seen }: SeenTask): Pick<HandleEntry, 'address' | 'taskId'> {
  const { baseUrl, cardPath, preferredTransports } = address;
  const known = Object.entries(seen).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(known),
    address: { baseUrl, cardPath, preferredTransports: [...preferredTransports] },
    taskId,
  };
}
