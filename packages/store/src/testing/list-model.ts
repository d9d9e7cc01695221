import type { PageCursor, StatusChange, Store, TaskQuery } from '../port.ts';
import { createSampleTask } from './sample-task.ts';

interface ModelTask {
  taskId: string;
  owner: string;
  contextId: string;
  status: StatusChange;
  lastSequence: number;
  /** Order of creation. */
  number: number;
}

/** A page in comparable form. */
interface ComparablePage {
  taskIds: string[];
  totalSize: number;
  hasCursor: boolean;
}

/** The simplest possible list of tasks, which makes every change both in a store and in itself. */
export class ListModel {
  readonly #store: Store;
  readonly #tasks: ModelTask[] = [];

  constructor(store: Store) {
    this.#store = store;
  }

  get size(): number {
    return this.#tasks.length;
  }

  async create(owner: string, contextId: string, status: StatusChange): Promise<void> {
    const { taskId } = await createSampleTask(this.#store, { owner, contextId, status });
    this.#tasks.push({ taskId, owner, contextId, status, lastSequence: 1, number: this.#tasks.length });
  }

  async move(index: number, status: StatusChange): Promise<void> {
    const task = this.#tasks[index];
    if (task === undefined)
      throw new Error(`There is no task ${index}; the model has ${this.#tasks.length}.`);
    task.lastSequence += 1;
    task.status = status;
    await this.#store.append({
      taskId: task.taskId,
      fence: 1,
      firstSequence: task.lastSequence,
      entries: [{ json: '{"statusUpdate":{}}', changesStatus: true }],
      status,
    });
  }

  /** Pages through a query in the store and in the model. */
  walk(query: TaskQuery): {
    nextPage(): Promise<{ found: ComparablePage; expected: ComparablePage; hasMore: boolean }>;
  } {
    let cursor: PageCursor | undefined;
    let position: { time: number; number: number } | undefined;
    return {
      nextPage: async () => {
        const page = await this.#store.listTasks(cursor === undefined ? query : { ...query, cursor });
        const all = this.#tasks.filter((task) => matches(task, query)).toSorted(newestFirst);
        const below = all.filter((task) => position === undefined || isBelow(task, position));
        const shown = below.slice(0, query.limit);
        cursor = page.nextCursor;
        const last = shown.at(-1);
        if (last !== undefined) position = { time: last.status.time, number: last.number };
        return {
          found: {
            taskIds: page.tasks.map((task) => task.taskId),
            totalSize: page.totalSize,
            hasCursor: cursor !== undefined,
          },
          expected: {
            taskIds: shown.map((task) => task.taskId),
            totalSize: all.length,
            hasCursor: below.length > query.limit,
          },
          hasMore: cursor !== undefined,
        };
      },
    };
  }
}

function matches(task: ModelTask, query: TaskQuery): boolean {
  return (
    task.owner === query.owner &&
    (query.contextId === undefined || task.contextId === query.contextId) &&
    (query.state === undefined || task.status.state === query.state) &&
    (query.statusTimeFrom === undefined || task.status.time >= query.statusTimeFrom)
  );
}

function newestFirst(one: ModelTask, other: ModelTask): number {
  return other.status.time - one.status.time || other.number - one.number;
}

function isBelow(task: ModelTask, position: { time: number; number: number }): boolean {
  const { time, number } = position;
  return task.status.time < time || (task.status.time === time && task.number < number);
}
