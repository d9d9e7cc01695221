import type { TaskState } from '@parley/protocol';
import type { Store, TaskHeader } from '@parley/store';
import type { LiveTask } from './live-task.ts';
import type { LiveTasks } from './live-tasks.ts';
import type { TaskReader } from './task-reader.ts';

export interface OtherTurnsOptions {
  store: Store;
  liveTasks: LiveTasks;
  reader: Pick<TaskReader, 'settled'>;
}

const PAGE = 20;
/** A task that another process had may be in the queue of this one by now, behind whoever waits for it. */
const LOOK_MILLISECONDS = 500;
/** A task that could begin and does not, for so long, is not waited for: clocks and queues of processes may disagree. */
const STALL_MILLISECONDS = 10_000;

/**
 * Waits until no other process works on a task of the context, and until those that wait there and came before have had
 * their turn (J10). Who works never waits, and who waits does so for earlier ones alone. Two tasks that begin in different
 * processes at the same moment can miss each other.
 */
export async function awaitOtherTurns(
  live: LiveTask,
  options: OtherTurnsOptions,
  signal: AbortSignal,
): Promise<void> {
  await live.flushed();
  const own = await options.store.readTask(live.taskId);
  if (own === undefined) return;
  const waitedSince = new Map<string, number>();
  const isStalled = ({ taskId }: TaskHeader): boolean =>
    Date.now() - (waitedSince.get(taskId) ?? Infinity) > STALL_MILLISECONDS;
  while (!signal.aborted) {
    const working = await listElsewhere(own, 'TASK_STATE_WORKING', options);
    const waiting = await listElsewhere(own, 'TASK_STATE_SUBMITTED', options);
    const earlier = waiting.filter((other) => other.createdAt < own.createdAt && !isStalled(other));
    const [other] = [...working, ...earlier];
    if (other === undefined) return;
    // While somebody works, nobody who waits could have begun.
    if (working.length > 0) waitedSince.clear();
    else waitedSince.set(other.taskId, waitedSince.get(other.taskId) ?? Date.now());
    const untilNextLook = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MILLISECONDS)]);
    await options.reader.settled(other.taskId, untilNextLook);
  }
}

/** What this process works on has its place in the queue here. */
async function listElsewhere(
  { owner, contextId, taskId }: TaskHeader,
  state: TaskState,
  { store, liveTasks }: OtherTurnsOptions,
): Promise<TaskHeader[]> {
  const { tasks } = await store.listTasks({ owner, contextId, state, limit: PAGE });
  return tasks.filter((task) => task.taskId !== taskId && liveTasks.find(task.taskId) === undefined);
}
