import { BoundedMap } from '../basics/bounded-map.ts';
import { checkOptions, isByteCount, isCount } from '../basics/check-options.ts';
import type { NoteStore } from './task-store.ts';
import { type TaskTable, TaskTableStore } from './task-table-store.ts';

/** Options of {@link InMemoryTaskStore}. */
export interface InMemoryTaskStoreOptions {
  /**
   * Maximum number of tasks. The least recently used are forgotten first.
   * @default 1000
   */
  maxTasks?: number | undefined;
  /**
   * Maximum size of all tasks, in characters of their JSON.
   * @default `67108864`
   */
  maxCharacters?: number | undefined;
}

const DEFAULT_MAX_TASKS = 1_000;
const DEFAULT_MAX_CHARACTERS = 64 * 1024 * 1024;

/**
 * Stores tasks in memory, until the process ends or newer ones take their room. A session asks the agent for a task that was
 * forgotten.
 *
 * @example
 * ```ts
 * import { A2AAgents, A2ASession, InMemoryTaskStore } from '@holdword/client';
 *
 * const taskStore = new InMemoryTaskStore({ maxTasks: 100 });
 * const session = new A2ASession(new A2AAgents('./agents.json'), { taskStore });
 * console.log(await session.sendMessage('research-bot', 'Hello'));
 * ```
 */
export class InMemoryTaskStore extends TaskTableStore {
  constructor(options: InMemoryTaskStoreOptions = {}) {
    checkOptions('new InMemoryTaskStore(options)', options, {
      maxTasks: isCount,
      maxCharacters: isByteCount,
    } satisfies Record<keyof InMemoryTaskStoreOptions, unknown>);
    super(
      new MemoryTable(options.maxTasks ?? DEFAULT_MAX_TASKS, options.maxCharacters ?? DEFAULT_MAX_CHARACTERS),
    );
  }
}

interface Row {
  readonly scope: string;
  readonly json: string;
}

/** Scopes share the room. */
class MemoryTable implements TaskTable {
  readonly #rows: BoundedMap<string, Row>;

  constructor(entries: number, weight: number) {
    this.#rows = new BoundedMap({ entries, weight, weigh: ({ json }) => json.length });
  }

  async read(scope: string, taskId: string): Promise<string | undefined> {
    return this.#rows.get(keyOf(scope, taskId))?.json;
  }

  async write(scope: string, taskId: string, json: string): Promise<void> {
    this.#rows.set(keyOf(scope, taskId), { scope, json });
  }

  async remove(scope: string, taskId: string): Promise<void> {
    this.#rows.delete(keyOf(scope, taskId));
  }

  async list(scope: string): Promise<string[]> {
    return this.#rows
      .values()
      .filter((row) => row.scope === scope)
      .map(({ json }) => json);
  }
}

function keyOf(scope: string, taskId: string): string {
  return JSON.stringify([scope, taskId]);
}

const MAX_NOTES = 10_000;

/** Remembers notes until the process ends, for task stores that do not. */
export class InMemoryNotes implements NoteStore {
  readonly #notes = new BoundedMap<string, string>({ entries: MAX_NOTES });

  async read(key: string): Promise<string | undefined> {
    return this.#notes.get(key);
  }

  async write(key: string, note: string): Promise<void> {
    this.#notes.set(key, note);
  }

  async remove(key: string): Promise<void> {
    this.#notes.delete(key);
  }

  async list(): Promise<string[]> {
    return this.#notes.values();
  }
}
