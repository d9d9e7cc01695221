import { createHash } from 'node:crypto';
import type { TaskState } from '@holdword/protocol';
import { Deadline, pause } from '@holdword/protocol/internal';
import type { Store, TaskHeader } from '@holdword/store';
import * as z from 'zod';
import type { Log } from '../log.ts';
import { contextKey } from '../owner.ts';
import type { LiveTasks } from './live-tasks.ts';
import { newId } from '../ids-and-times.ts';
import type { TaskReader } from './task-reader.ts';

/** The turn that needs the lock, identified by its task, which need not exist yet. */
interface TurnInContext {
  readonly taskId: string;
  readonly owner: string;
  readonly contextId: string;
  /** It was taken from a living process, which may still have the context for it. */
  readonly isTakenOver?: boolean | undefined;
}

interface AcquireContextOptions {
  store: Store;
  /** This process, as the store identifies it. */
  holder: string;
  liveTasks: LiveTasks;
  reader: Pick<TaskReader, 'settled'>;
  log: Log;
  here: ContextsHere;
  /** Whether the turn was left behind by another process. The queue of this process does not order it. */
  isRestarted: (taskId: string) => boolean;
}

const PAGE = 20;
/** A task that another process held may be in this process's queue by now, behind the turn that waits for it. */
const LOOK_MILLISECONDS = 500;
/** A turn may hold its context a moment longer than its task takes to settle, or much longer. */
const LEAST_PAUSE_MILLISECONDS = 10;
/** A task that could start and has not for this long is skipped: clocks and queues of processes may disagree. */
const STALL_MILLISECONDS = 10_000;

/** A turn that was left behind and waits. */
interface WaitingTurn {
  readonly taskId: string;
  readonly createdAt: number;
  readonly wake: () => void;
}

/**
 * The contexts of one process, among those that share a store.
 *
 * Responsible for few questions to the store: of the turns that wait for one context after another process left them behind,
 * only the oldest can be next, and only it asks.
 */
export class ContextsHere {
  /** The tasks of the turns that have their context here. */
  readonly held = new Set<string>();
  readonly #lines = new Map<string, Set<WaitingTurn>>();

  /** Waits while an older turn of the context waits here. Returns the function with which the turn waits no longer. */
  async oldest(
    context: string,
    { taskId, createdAt }: Pick<TaskHeader, 'taskId' | 'createdAt'>,
    signal: AbortSignal,
  ): Promise<() => void> {
    const line = this.#lines.get(context) ?? new Set();
    this.#lines.set(context, line);
    let changed = Promise.withResolvers<void>();
    const turn: WaitingTurn = { taskId, createdAt, wake: () => changed.resolve() };
    const leave = (): void => {
      signal.removeEventListener('abort', turn.wake);
      line.delete(turn);
      if (line.size === 0) this.#lines.delete(context);
      else oldestOf(line)?.wake();
    };
    line.add(turn);
    signal.addEventListener('abort', turn.wake);
    while (oldestOf(line) !== turn && !signal.aborted) {
      await changed.promise;
      changed = Promise.withResolvers<void>();
    }
    return leave;
  }
}

function oldestOf(line: ReadonlySet<WaitingTurn>): WaitingTurn | undefined {
  let oldest: WaitingTurn | undefined;
  for (const turn of line) {
    const isOlder =
      oldest === undefined ||
      turn.createdAt < oldest.createdAt ||
      (turn.createdAt === oldest.createdAt && turn.taskId < oldest.taskId);
    if (isOlder) oldest = turn;
  }
  return oldest;
}

/**
 * Acquires the context of a turn among processes that share a store, and returns the function that releases it (J10).
 * Waits until no other process works in the context and until earlier tasks that wait there have had their turn. A task
 * that is already being worked on never waits for tasks that wait. Returns undefined if the signal fires first.
 */
export async function acquireContext(
  turn: TurnInContext,
  options: AcquireContextOptions,
  signal: AbortSignal,
): Promise<(() => void) | undefined> {
  const { store, here } = options;
  const { taskId, owner, contextId, isTakenOver = false } = turn;
  if (isTakenOver || !options.isRestarted(taskId)) return acquire(turn, options, signal);
  const header = await store.readTask(taskId);
  // A turn that resumes goes before all that wait.
  if (header?.state !== 'TASK_STATE_SUBMITTED') return acquire(turn, options, signal);
  const leave = await here.oldest(contextKey(owner, contextId), header, signal);
  try {
    return await acquire(turn, options, signal);
  } finally {
    leave();
  }
}

async function acquire(
  turn: TurnInContext,
  options: AcquireContextOptions,
  signal: AbortSignal,
): Promise<(() => void) | undefined> {
  const { store, holder, reader, log, here } = options;
  const { held } = here;
  const { taskId } = turn;
  const before = new TurnsBefore(turn, options);
  const lock = new ContextLock(store, holder, turn, held);
  let pauseMilliseconds = LEAST_PAUSE_MILLISECONDS;
  while (!signal.aborted) {
    const other = (await before.find()) ?? (await lock.acquire());
    if (other === undefined) {
      held.add(taskId);
      return () => {
        held.delete(taskId);
        void lock.release().catch((error: unknown) => {
          // This process can still use the context, and others can once this process is gone.
          log.warn('Could not release a context.', { taskId, error: String(error) });
        });
      };
    }
    const asked = performance.now();
    using deadline = new Deadline(LOOK_MILLISECONDS);
    await reader.settled(other, AbortSignal.any([signal, deadline.signal]));
    // A turn whose task has settled may still be working, and must not be polled in a tight loop.
    const isNews = performance.now() - asked >= LEAST_PAUSE_MILLISECONDS;
    pauseMilliseconds = isNews
      ? LEAST_PAUSE_MILLISECONDS
      : Math.min(2 * pauseMilliseconds, LOOK_MILLISECONDS);
    await pause(pauseMilliseconds, signal);
  }
  return undefined;
}

/** The turns of other processes that go before a waiting one, for as long as it waits. */
class TurnsBefore {
  readonly #turn: TurnInContext;
  readonly #options: AcquireContextOptions;
  readonly #waitedSince = new Map<string, number>();

  constructor(turn: TurnInContext, options: AcquireContextOptions) {
    this.#turn = turn;
    this.#options = options;
  }

  /** The task of such a turn: one that is being worked on, otherwise one that was created earlier. */
  async find(): Promise<string | undefined> {
    const own = await this.#options.store.readTask(this.#turn.taskId);
    // A turn that resumes after a crash started before all that wait.
    if (own?.state === 'TASK_STATE_WORKING' || this.#turn.isTakenOver === true) return undefined;
    const [[working], waiting] = await Promise.all([
      this.#listElsewhere('TASK_STATE_WORKING'),
      this.#listElsewhere('TASK_STATE_SUBMITTED'),
    ]);
    if (working !== undefined) {
      // While one works, none of those that wait could have started.
      this.#waitedSince.clear();
      return working.taskId;
    }
    // A turn that may not need a task was created last.
    const came = own?.createdAt ?? Infinity;
    const earlier = waiting.find((other) => other.createdAt < came && !this.#isStalled(other));
    if (earlier === undefined) return undefined;
    const { taskId } = earlier;
    this.#waitedSince.set(taskId, this.#waitedSince.get(taskId) ?? performance.now());
    return taskId;
  }

  #isStalled({ taskId }: TaskHeader): boolean {
    return performance.now() - (this.#waitedSince.get(taskId) ?? Infinity) > STALL_MILLISECONDS;
  }

  /** Tasks of this process are ordered by its own queue, except those that another one left behind. */
  async #listElsewhere(state: TaskState): Promise<TaskHeader[]> {
    const { store, liveTasks, isRestarted } = this.#options;
    const { owner, contextId, taskId } = this.#turn;
    const { tasks } = await store.listTasks({ owner, contextId, state, limit: PAGE });
    const isOrderedHere = (other: string): boolean =>
      liveTasks.find(other) !== undefined && !isRestarted(other) && !isRestarted(taskId);
    return tasks.filter((task) => task.taskId !== taskId && !isOrderedHere(task.taskId));
  }
}

/** Which process holds the lock, and for a turn of which task. The id makes every turn's record unique. */
const LockSchema = z.object({ id: z.string(), holder: z.string(), taskId: z.string() });
type LockRecord = z.infer<typeof LockSchema>;

const NAMESPACE = 'running-contexts';

type LockStore = Pick<Store, 'getRecord' | 'replaceRecord' | 'deleteRecord' | 'isAlive'>;

/**
 * The lock of one context, as one turn uses it, among processes that share a store.
 *
 * Responsible for one turn per context at a time (J10): of several processes that try to acquire it at once, the store
 * lets one succeed, and the lock is held until the turn has ended or its process has died. A lock that this process left
 * behind counts as free. Leaves the order of turns inside a process to its queue, and the order among processes to
 * `acquireContext`.
 */
export class ContextLock {
  readonly #store: LockStore;
  readonly #key: string;
  readonly #record: LockRecord;
  readonly #value: string;
  readonly #held: ReadonlySet<string>;
  readonly #isTakenOver: boolean;

  constructor(
    store: LockStore,
    holder: string,
    { taskId, owner, contextId, isTakenOver = false }: TurnInContext,
    held: ReadonlySet<string> = new Set(),
  ) {
    this.#store = store;
    this.#held = held;
    this.#isTakenOver = isTakenOver;
    // Callers choose context ids, and may choose one that is too long for an index.
    this.#key = createHash('sha256').update(contextKey(owner, contextId)).digest('hex');
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
      if (await this.#isTaken(holder, taskId)) return taskId;
    }
    return undefined;
  }

  async #isTaken(holder: string, taskId: string): Promise<boolean> {
    const isOwnTask = taskId === this.#record.taskId;
    if (holder === this.#record.holder) return !isOwnTask && this.#held.has(taskId);
    return !(isOwnTask && this.#isTakenOver) && this.#store.isAlive(holder);
  }

  /** The turn has ended or will not start. */
  async release(): Promise<void> {
    await this.#store.deleteRecord(NAMESPACE, this.#key, this.#value);
  }
}
