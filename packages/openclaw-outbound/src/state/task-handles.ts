import { randomUUID } from 'node:crypto';
import { isInterrupted, isTerminal } from '@holdword/protocol';
import { taskStateSchema } from '@holdword/protocol/internal';
import { z } from 'zod';
import { TRANSPORTS } from '../config.ts';
import { addressKey, type TargetAddress } from '../targets/target.ts';
import { readRecord, type StateStore } from './state-store.ts';

export interface TaskHandlesOptions {
  readonly ttlMs: number;
  readonly maxEntries: number;
  readonly state: StateStore;
  readonly now?: () => number;
}

/** A task as seen in a response. */
export interface ObservedTask {
  readonly address: TargetAddress;
  readonly alias?: string | undefined;
  readonly taskId: string;
  readonly contextId?: string | undefined;
  readonly state?: string | undefined;
  readonly stateSince?: string | undefined;
}

const handleEntrySchema = z.object({
  handle: z.string(),
  address: z.object({
    baseUrl: z.string(),
    cardPath: z.string(),
    preferredTransports: z.array(z.enum(TRANSPORTS)).min(1),
  }),
  /** The alias under which the agent was called; several targets can share an address. */
  alias: z.string().optional(),
  taskId: z.string(),
  contextId: z.string().optional(),
  /** The last known state of the task, in A2A 1.0 notation. */
  state: z.string().optional(),
  /** The timestamp of that state, from the agent. */
  stateSince: z.string().optional(),
  /** Whether the task has asked a question that no message has answered. */
  asks: z.boolean().optional(),
  /** In milliseconds since the Unix epoch. */
  expiresAt: z.number(),
  usedAt: z.number(),
});

/** The task behind a task handle. */
export type HandleEntry = z.infer<typeof handleEntrySchema>;

const NAMESPACE = 'task-handles';

/**
 * Short names for tasks of remote agents.
 *
 * Responsible for one handle per task, for an expiry that every response about the task extends, and for evicting the least
 * recently used handles. Handles are kept in memory and written in the background; one created by another process is looked
 * up in the store. Losing them loses no task: a continuation contains the task id.
 */
export class TaskHandles {
  readonly #options: TaskHandlesOptions;
  /** In order of last use, least recent first. */
  readonly #entries = new Map<string, HandleEntry>();
  readonly #byTask = new Map<string, string>();
  #loading: Promise<void> | undefined;

  constructor(options: TaskHandlesOptions) {
    this.#options = options;
  }

  /** Returns the handle of a task seen in a response, and extends its expiry. */
  async bind(seen: ObservedTask): Promise<string> {
    await this.#load();
    const task = taskKey(seen);
    const known = this.#byTask.get(task);
    const earlier = known === undefined ? undefined : this.#entries.get(known);
    const now = this.#now();
    const entry: HandleEntry = {
      ...earlier,
      ...definedOf(seen),
      ...askedBy(seen.state),
      handle: earlier?.handle ?? `rah_${randomUUID()}`,
      expiresAt: now + this.#options.ttlMs,
      usedAt: now,
    };
    this.#keep(entry);
    this.#options.state.write(NAMESPACE, entry.handle, JSON.stringify(entry));
    this.#evict();
    return entry.handle;
  }

  /** Keeps a conversation under a name, as if it were the handle of a task without an id. */
  async keepConversation(
    name: string,
    { address, contextId }: Pick<ObservedTask, 'address'> & { readonly contextId: string },
  ): Promise<void> {
    await this.#load();
    const now = this.#now();
    const entry = { handle: name, contextId, expiresAt: now + this.#options.ttlMs, usedAt: now };
    const whole = { ...definedOf({ address, taskId: '' }), ...entry };
    this.#keep(whole);
    this.#options.state.write(NAMESPACE, name, JSON.stringify(whole));
    this.#evict();
  }

  /** Notes that a message has reached the task, if the task has a handle. */
  async settleQuestion(task: Pick<ObservedTask, 'address' | 'taskId'>): Promise<void> {
    await this.#load();
    const entry = this.#entries.get(this.#byTask.get(taskKey(task)) ?? '');
    if (entry?.asks !== true) return;
    const settled = { ...entry, asks: false };
    this.#keep(settled);
    this.#options.state.write(NAMESPACE, entry.handle, JSON.stringify(settled));
  }

  /** The task of a handle, expired or not; undefined if the handle is unknown. */
  async find(handle: string): Promise<{ entry: HandleEntry; isAlive: boolean } | undefined> {
    const entry = await this.#lookUp(handle);
    return entry && { entry, isAlive: entry.expiresAt > this.#now() };
  }

  async #lookUp(handle: string): Promise<HandleEntry | undefined> {
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
    this.#evict();
  }

  #keep(entry: HandleEntry): void {
    this.#entries.delete(entry.handle);
    this.#entries.set(entry.handle, entry);
    this.#byTask.set(taskKey(entry), entry.handle);
  }

  #evict(): void {
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

/** Identifies a task of an agent. */
export function taskKey({ address, taskId }: Pick<ObservedTask, 'address' | 'taskId'>): string {
  return JSON.stringify([addressKey(address), taskId]);
}

/** A task that ends leaves its question without an answer. */
function askedBy(state: string | undefined): Pick<HandleEntry, 'asks'> {
  const known = taskStateSchema.safeParse(state);
  if (!known.success || isTerminal(known.data)) return {};
  return { asks: isInterrupted(known.data) };
}

/** Fields missing from a response keep their earlier values. */
function definedOf({ address, taskId, ...seen }: ObservedTask): Pick<HandleEntry, 'address' | 'taskId'> {
  const { baseUrl, cardPath, preferredTransports } = address;
  const known = Object.entries(seen).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(known),
    address: { baseUrl, cardPath, preferredTransports: [...preferredTransports] },
    taskId,
  };
}
