import { setTimeout as pause } from 'node:timers/promises';
import type { TaskState } from '@holdword/protocol';
import type { Store, TaskHeader } from '@holdword/store';
import type { Log } from '../log.ts';
import { ContextLock, type TurnInContext } from './context-lock.ts';
import type { LiveTasks } from './live-tasks.ts';
import type { TaskReader } from './task-reader.ts';

export interface AcquireContextOptions {
  store: Store;
  /** This process, as the store knows it. */
  holder: string;
  liveTasks: LiveTasks;
  reader: Pick<TaskReader, 'settled'>;
  log: Log;
}

const PAGE = 20;
/** A task that another process had may be in the queue of this one by now, behind whoever waits for it. */
const LOOK_MILLISECONDS = 500;
/** A turn may hold its context a moment longer than its task takes to settle, or much longer. */
const LEAST_PAUSE_MILLISECONDS = 10;
/** A task that could begin and does not, for so long, is not waited for: clocks and queues of processes may disagree. */
const STALL_MILLISECONDS = 10_000;

/**
 * Takes the context of a turn, where processes share a store, and gives what leaves it again (J10). Waits until no other
 * process works in it, and until the tasks that wait there and came before have had their turn. Who works never waits for
 * others that wait. Undefined when it was called off.
 */
export async function acquireContext(
  turn: TurnInContext,
  options: AcquireContextOptions,
  signal: AbortSignal,
): Promise<(() => void) | undefined> {
  const { store, holder, reader, log } = options;
  const { taskId } = turn;
  const before = new TurnsBefore(turn, options);
  const lock = new ContextLock(store, holder, turn);
  let pauseMilliseconds = LEAST_PAUSE_MILLISECONDS;
  while (!signal.aborted) {
    const other = (await before.find()) ?? (await lock.acquire());
    if (other === undefined) {
      return () =>
        void lock.release().catch((error: unknown) => {
          // It is free for this process, and for others when this one is gone.
          log.warn('A context was not given back.', { taskId, error: String(error) });
        });
    }
    const asked = Date.now();
    await reader.settled(other, AbortSignal.any([signal, AbortSignal.timeout(LOOK_MILLISECONDS)]));
    // Whose task has settled may work on, and must not be asked for all the time.
    const isNews = Date.now() - asked >= LEAST_PAUSE_MILLISECONDS;
    pauseMilliseconds = isNews
      ? LEAST_PAUSE_MILLISECONDS
      : Math.min(2 * pauseMilliseconds, LOOK_MILLISECONDS);
    await pause(pauseMilliseconds, undefined, { signal }).catch(() => {});
  }
  return undefined;
}

/** The turns of other processes that come before one that waits, for as long as it waits. */
class TurnsBefore {
  readonly #turn: TurnInContext;
  readonly #options: AcquireContextOptions;
  readonly #waitedSince = new Map<string, number>();

  constructor(turn: TurnInContext, options: AcquireContextOptions) {
    this.#turn = turn;
    this.#options = options;
  }

  /** The task of such a turn: one that is worked on, else one that came earlier. */
  async find(): Promise<string | undefined> {
    const own = await this.#options.store.readTask(this.#turn.taskId);
    // A turn that goes on after a crash has begun before all that wait.
    if (own?.state === 'TASK_STATE_WORKING') return undefined;
    const [[working], waiting] = await Promise.all([
      this.#listElsewhere('TASK_STATE_WORKING'),
      this.#listElsewhere('TASK_STATE_SUBMITTED'),
    ]);
    if (working !== undefined) {
      // While somebody works, nobody who waits could have begun.
      this.#waitedSince.clear();
      return working.taskId;
    }
    // A turn that may do without a task came last.
    const came = own?.createdAt ?? Infinity;
    const earlier = waiting.find((other) => other.createdAt < came && !this.#isStalled(other));
    if (earlier === undefined) return undefined;
    const { taskId } = earlier;
    this.#waitedSince.set(taskId, this.#waitedSince.get(taskId) ?? Date.now());
    return taskId;
  }

  #isStalled({ taskId }: TaskHeader): boolean {
    return Date.now() - (this.#waitedSince.get(taskId) ?? Infinity) > STALL_MILLISECONDS;
  }

  /** What this process works on has its place in the queue here. */
  async #listElsewhere(state: TaskState): Promise<TaskHeader[]> {
    const { store, liveTasks } = this.#options;
    const { owner, contextId, taskId } = this.#turn;
    const { tasks } = await store.listTasks({ owner, contextId, state, limit: PAGE });
    return tasks.filter((task) => task.taskId !== taskId && liveTasks.find(task.taskId) === undefined);
  }
}
