import type { Task } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import type { FileStore } from '../files/file-store.ts';
import type { TaskStore } from '../stores/task-store.ts';
import { TaskView } from './task-view.ts';

/** Metadata key for the agent and the sequence number of a saved task. Removed when the task is loaded. */
const KEPT = 'urn:holdword:client:kept:v1';

/** The saved files of a task, by artifact id. */
export interface SavedFiles {
  /** Paths of the saved files. */
  paths: Record<string, string[]>;
  /** Why files of an artifact could not be saved. */
  errors: Record<string, string>;
}

/**
 * The tasks and files that a session has seen.
 *
 * Responsible for isolation between agents: two agents may use the same task id, and their tasks must not be mixed up. The
 * first agent's task and files are stored under the id, the next agent's under a longer name. A file that cannot be saved
 * does not affect the others. Leaves storage to the stores.
 */
export class SavedTasks {
  readonly #tasks: TaskStore;
  readonly #files: FileStore | null;
  /** The content that was saved last, so that files are not written again on every request for their task. */
  readonly #saved = new Map<string, string>();
  readonly #errors = new Map<string, string>();
  /** The agent that owns each name in the stores, as far as this session knows. */
  readonly #owners = new Map<string, string>();

  constructor(tasks: TaskStore, files: FileStore | null) {
    this.#tasks = tasks;
    this.#files = files;
  }

  async save(agentId: string, view: TaskView): Promise<void> {
    const task = view.toTask();
    const { sequence } = view;
    const kept = { agentId, ...(sequence !== undefined && { sequence }) };
    const id = await this.#claimName(agentId, task.id);
    await this.#tasks.save({ ...task, id, metadata: { ...task.metadata, [KEPT]: kept } });
  }

  async load(agentId: string, taskId: string): Promise<TaskView | undefined> {
    const task = await this.#find(agentId, taskId);
    if (task === undefined) return undefined;
    const { [KEPT]: stamp, ...metadata } = task.metadata ?? {};
    const { sequence } = asObject(stamp);
    const { metadata: _metadata, ...fields } = task;
    const own: Task = { ...fields, id: taskId, ...(Object.keys(metadata).length > 0 && { metadata }) };
    return new TaskView(own, typeof sequence === 'number' ? sequence : undefined);
  }

  async saveFiles(agentId: string, { id: taskId, artifacts = [] }: Task): Promise<void> {
    if (this.#files === null) return;
    const id = await this.#claimName(agentId, taskId);
    for (const artifact of artifacts) {
      const files = artifact.parts.filter(({ raw, url }) => raw !== undefined || url !== undefined);
      if (files.length === 0) continue;
      const key = keyOf(id, artifact.artifactId);
      const content = files.map(({ raw, url }) => url ?? raw?.length).join(' ');
      if (this.#saved.get(key) === content) continue;
      try {
        await this.#files.save(id, artifact);
        this.#saved.set(key, content);
        this.#errors.delete(key);
      } catch (error) {
        this.#errors.set(key, error instanceof Error ? error.message : 'The file could not be saved.');
      }
    }
  }

  async filesOf(agentId: string, taskId: string, artifactIds: readonly string[]): Promise<SavedFiles> {
    const saved: SavedFiles = { paths: {}, errors: {} };
    if (this.#files === null) return saved;
    const id = await this.#claimName(agentId, taskId);
    for (const artifactId of artifactIds) {
      const paths = await this.#files.get(id, artifactId);
      if (paths.length > 0) saved.paths[artifactId] = paths;
      const error = this.#errors.get(keyOf(id, artifactId));
      if (error !== undefined) saved.errors[artifactId] = error;
    }
    return saved;
  }

  /** Reserves the name of an agent's task in the stores. */
  async #claimName(agentId: string, taskId: string): Promise<string> {
    for (let name = taskId; ; name = nextName(name, agentId)) {
      if (!this.#owners.has(name)) {
        const kept = await this.#tasks.load(name);
        const owner = (kept && ownerOf(kept)) ?? agentId;
        // A concurrent call may have reserved it.
        if (!this.#owners.has(name)) this.#owners.set(name, owner);
      }
      if (this.#owners.get(name) === agentId) return name;
    }
  }

  async #find(agentId: string, taskId: string): Promise<Task | undefined> {
    for (let name = taskId; ; name = nextName(name, agentId)) {
      const task = await this.#tasks.load(name);
      if (task === undefined || ownerOf(task) === agentId) return task;
    }
  }
}

/** The name to try next if another agent has this one; agents choose ids, so that one can be taken as well. */
function nextName(name: string, agentId: string): string {
  return `${name}@${agentId}`;
}

function ownerOf({ metadata }: Task): string | undefined {
  const { agentId } = asObject(metadata?.[KEPT]);
  return typeof agentId === 'string' ? agentId : undefined;
}

function keyOf(taskId: string, artifactId: string): string {
  return JSON.stringify([taskId, artifactId]);
}
