import { setTimeout as pause } from 'node:timers/promises';
import type { TaskState } from '@parley/protocol';
import type { Store, TaskHeader } from '@parley/store';
import type { Log } from '../log.ts';
import { ContextPlace } from './context-place.ts';
import type { LiveTasks } from './live-tasks.ts';
import type { TaskReader } from './task-reader.ts';

export interface TakeContextOptions {
  store: Store;
  liveTasks: LiveTasks;
  reader: Pick<TaskReader, 'settled'>;
  log: Log;
}

const PAGE = 20;
/** A task that another process had may be in the queue of this one by now, behind whoever waits for it. */
const LOOK_MILLISECONDS = 500;
/** A context may be taken by a turn that has not begun yet, and whose task therefore has settled before. */
const LEAST_PAUSE_MILLISECONDS = 10;
/** A task that could begin and does not, for so long, is not waited for: clocks and queues of processes may disagree. */
const STALL_MILLISECONDS = 10_000;

/**
 * Takes the context of a task for its next turn, where processes share a store, and gives what leaves it again (J10). Waits
 * until no other process works in it, and until the tasks that wait there and came before have had their turn. Who works
 * never waits for others that wait.
 */
export async function takeContext(
  taskId: string,
  options: TakeContextOptions,
  signal: AbortSignal,
): Promise<() => void> {
  const { store, reader, log } = options;
  const before = new TurnsBefore(options);
  while (!signal.aborted) {
    const own = await store.readTask(taskId);
    if (own === undefined) break;
    const place = new ContextPlace(options, own);
    // A turn that goes on after a crash has begun before all that wait.
    const hasBegun = own.state === 'TASK_STATE_WORKING';
    const other = (hasBegun ? undefined : await before.find(own)) ?? (await place.take(own));
    if (other === undefined) {
      return () =>
        void place.leave().catch((error: unknown) => {
          // It frees itself with the end of its task.
          log.warn('A context was not given back.', { taskId, error: String(error) });
        });
    }
    const untilNextLook = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MILLISECONDS)]);
    await Promise.all([reader.settled(other, untilNextLook), pause(LEAST_PAUSE_MILLISECONDS)]);
  }
  return () => {};
}

/** The turns of other processes that come before one that waits, for as long as it waits. */
class TurnsBefore {
  readonly #options: TakeContextOptions;
  readonly #waitedSince = new Map<string, number>();

  constructor(options: TakeContextOptions) {
    this.#options = options;
  }

  /** The task of such a turn: one that is worked on, else one that came earlier. */
  async find(own: TaskHeader): Promise<string | undefined> {
    const [[working], waiting] = await Promise.all([
      this.#listElsewhere(own, 'TASK_STATE_WORKING'),
      this.#listElsewhere(own, 'TASK_STATE_SUBMITTED'),
    ]);
    if (working !== undefined) {
      // While somebody works, nobody who waits could have begun.
      this.#waitedSince.clear();
      return working.taskId;
    }
    const earlier = waiting.find((other) => other.createdAt < own.createdAt && !this.#isStalled(other));
    if (earlier === undefined) return undefined;
    const { taskId } = earlier;
    this.#waitedSince.set(taskId, this.#waitedSince.get(taskId) ?? Date.now());
    return taskId;
  }

  #isStalled({ taskId }: TaskHeader): boolean {
    return Date.now() - (this.#waitedSince.get(taskId) ?? Infinity) > STALL_MILLISECONDS;
  }

  /** What this process works on has its place in the queue here. */
  async #listElsewhere({ owner, contextId, taskId }: TaskHeader, state: TaskState): Promise<TaskHeader[]> {
    const { store, liveTasks } = this.#options;
    const { tasks } = await store.listTasks({ owner, contextId, state, limit: PAGE });
    return tasks.filter((task) => task.taskId !== taskId && liveTasks.find(task.taskId) === undefined);
  }
}
