import type { Store, TaskHeader } from '@parley/store';
import * as z from 'zod';
import type { LiveTasks } from './live-tasks.ts';

/** Which task's turn has the context, and where its journal stood when it was taken. */
const HolderSchema = z.object({ taskId: z.string(), sequence: z.number(), takenAt: z.number() });
type Holder = z.infer<typeof HolderSchema>;

const NAMESPACE = 'running-contexts';
/** A context that was taken for a turn that has not begun after so long is free again: its process is gone. */
const BEGIN_MILLISECONDS = 10_000;

type PlaceStore = Pick<Store, 'getRecord' | 'replaceRecord' | 'deleteRecord' | 'readTask'>;

/**
 * A context, as one turn of a task wants it, among processes that share a store.
 *
 * Responsible for one turn in a context at a time (J10): the store lets one of several that take it at once have its way. It
 * is held while its task is submitted or working, or has not moved since it was taken; so the end of a turn frees it, and a
 * crash leaves it to the task, which another process brings to its end (J7). Leaves who goes first to `takeContext`.
 */
export class ContextPlace {
  readonly #store: PlaceStore;
  readonly #liveTasks: Pick<LiveTasks, 'find'>;
  readonly #key: string;
  #value: string | undefined;

  constructor(
    { store, liveTasks }: { store: PlaceStore; liveTasks: Pick<LiveTasks, 'find'> },
    { owner, contextId }: Pick<TaskHeader, 'owner' | 'contextId'>,
  ) {
    this.#store = store;
    this.#liveTasks = liveTasks;
    this.#key = `${owner}\n${contextId}`;
  }

  /**
   * Takes it for a turn of the task; where the turn of another task has it, the id of that task. A task that this process
   * writes to does not count: its turn is behind this one in the queue here.
   */
  async take({ taskId, lastSequence }: TaskHeader): Promise<string | undefined> {
    const mine: Holder = { taskId, sequence: lastSequence, takenAt: Date.now() };
    const value = JSON.stringify(mine);
    // Most contexts are free: what stands there is read only where something does.
    let current: string | undefined;
    while (!(await this.#store.replaceRecord(NAMESPACE, this.#key, current, value))) {
      current = await this.#store.getRecord(NAMESPACE, this.#key);
      const holder = current === undefined ? undefined : HolderSchema.parse(JSON.parse(current));
      if (holder !== undefined && holder.taskId !== taskId && (await this.#isHeldBy(holder))) {
        return holder.taskId;
      }
    }
    this.#value = value;
    return undefined;
  }

  /** The turn has ended or does not begin. */
  async leave(): Promise<void> {
    if (this.#value !== undefined) await this.#store.deleteRecord(NAMESPACE, this.#key, this.#value);
  }

  async #isHeldBy({ taskId, sequence, takenAt }: Holder): Promise<boolean> {
    const task = await this.#store.readTask(taskId);
    if (task === undefined || this.#liveTasks.find(taskId) !== undefined) return false;
    if (task.state === 'TASK_STATE_SUBMITTED' || task.state === 'TASK_STATE_WORKING') return true;
    return task.lastSequence === sequence && Date.now() - takenAt < BEGIN_MILLISECONDS;
  }
}
