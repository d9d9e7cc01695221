import type { Task } from '@parley/protocol';
import { asObject } from '@parley/protocol/legacy';
import type { FileStore } from '../files/file-store.ts';
import type { TaskStore } from '../stores/task-store.ts';
import { TaskView } from './task-view.ts';

/** Where a task that is kept says whose it is and how far it was read. Never shown outside. */
const KEPT = 'urn:parley:client:kept:v1';

/** What became of the files of a task, by artifact id. */
export interface SavedFiles {
  paths: Record<string, string[]>;
  /** Why the files of an artifact are not there. */
  errors: Record<string, string>;
}

/**
 * The tasks and files that a session has seen.
 *
 * Responsible for keeping tasks of different agents apart: two agents may use the same id, and what one said is not told
 * as the words of the other. A file that cannot be saved takes nothing else with it. Leaves the keeping to the stores.
 */
export class KeptTasks {
  readonly #tasks: TaskStore;
  readonly #files: FileStore | null;
  /** Which content was saved last, so that files are not written again for every question after their task. */
  readonly #saved = new Map<string, string>();
  readonly #errors = new Map<string, string>();

  constructor(tasks: TaskStore, files: FileStore | null) {
    this.#tasks = tasks;
    this.#files = files;
  }

  async save(agentId: string, view: TaskView): Promise<void> {
    const task = view.toTask();
    const { sequence } = view;
    const kept = { agentId, ...(sequence !== undefined && { sequence }) };
    await this.#tasks.save({ ...task, metadata: { ...task.metadata, [KEPT]: kept } });
  }

  async load(agentId: string, taskId: string): Promise<TaskView | undefined> {
    const task = await this.#tasks.load(taskId);
    if (task === undefined) return undefined;
    const { [KEPT]: stamp, ...metadata } = task.metadata ?? {};
    const kept = asObject(stamp);
    if (kept['agentId'] !== agentId) return undefined;
    const { metadata: _metadata, ...fields } = task;
    const own: Task = { ...fields, ...(Object.keys(metadata).length > 0 && { metadata }) };
    return new TaskView(own, typeof kept['sequence'] === 'number' ? kept['sequence'] : undefined);
  }

  async saveFiles({ id, artifacts = [] }: Task): Promise<void> {
    if (this.#files === null) return;
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

  async filesOf({ id, artifacts = [] }: Pick<Task, 'id' | 'artifacts'>): Promise<SavedFiles> {
    const saved: SavedFiles = { paths: {}, errors: {} };
    for (const { artifactId } of artifacts) {
      const paths = (await this.#files?.get(id, artifactId)) ?? [];
      if (paths.length > 0) saved.paths[artifactId] = paths;
      const error = this.#errors.get(keyOf(id, artifactId));
      if (error !== undefined) saved.errors[artifactId] = error;
    }
    return saved;
  }
}

function keyOf(taskId: string, artifactId: string): string {
  return JSON.stringify([taskId, artifactId]);
}
