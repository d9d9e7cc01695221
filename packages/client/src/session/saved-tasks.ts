import { createHash } from 'node:crypto';
import { A2AError, type Artifact, type Message, type Part, type Task } from '@holdword/protocol';
import {
  asObject,
  coreArtifactToV03,
  coreTaskToV03,
  Deadline,
  taskSchema,
  v03TaskToCore,
} from '@holdword/protocol/internal';
import { formatCount } from '../artifacts/shorten.ts';
import { BoundedMap } from '../basics/bounded-map.ts';
import { type FileStore, isFilesNotSavedError } from '../files/file-store.ts';
import type { LargeParts } from '../large/large-parts.ts';
import { artifactIdBesideMessage, MESSAGE_ARTIFACT } from '../llm/for-llm.ts';
import type { UnsavedFile } from '../llm/part-content.ts';
import type { NoteStore, TaskStore } from '../stores/task-store.ts';
import { type AskedQuestion, askedQuestionSchema } from './answered-question.ts';
import { TaskView } from './task-view.ts';

/** The saved files of a task or message, by artifact id. Files of a message are listed as those of `_message`. */
export interface SavedFiles {
  /** Paths of the saved files. */
  paths: Record<string, string[]>;
  /** Why files of an artifact could not be saved. */
  errors: Record<string, string>;
  /** The files that could not be saved, each with its reason. */
  unsaved: Record<string, readonly UnsavedFile[]>;
}

/** What is remembered of this many tasks and artifacts; the rest is read again from the stores. */
const MAX_REMEMBERED = 10_000;

/** For all files of a task or message: an agent may name many that never arrive. */
const FILES_MILLISECONDS = 120_000;

/** A model reads the reason of each file, as long as there are not many. */
const MAX_UNSAVED_SHOWN = 20;

interface SaveFailure {
  readonly message: string;
  readonly unsaved: readonly UnsavedFile[];
}

/** What is noted of a task, besides the task itself. */
interface TaskNote {
  readonly agentId?: string;
  /** Where to resume. */
  readonly sequence?: number;
  readonly answered: AskedQuestion | undefined;
}

/** The stores of a session. */
export interface SessionStores {
  readonly tasks: TaskStore;
  readonly notes: NoteStore;
  readonly files: FileStore | null;
  /** Contents that are in files already. */
  readonly largeParts?: LargeParts | undefined;
  /** See TaskView. */
  readonly maxViewLength?: number | undefined;
}

/**
 * The tasks and files that a session has seen.
 *
 * Responsible for isolation between agents: two agents may use the same task id, and their tasks must not be mixed up. The
 * first agent's task and files are stored under the id, the next agent's under a longer name. A file that cannot be saved
 * does not affect the others. Stores get the objects that the session returns; which agent a task belongs to and where to
 * resume are notes. Leaves storage to the stores.
 */
export class SavedTasks {
  readonly #stores: SessionStores;
  /** The content that was saved last, so that files are not written again on every request for their task. */
  readonly #saved = new BoundedMap<string, string>({ entries: MAX_REMEMBERED });
  readonly #failures = new BoundedMap<string, SaveFailure>({ entries: MAX_REMEMBERED });
  /** The agent that owns each name in the stores, as far as this session knows. */
  readonly #owners = new BoundedMap<string, string>({ entries: MAX_REMEMBERED });

  /** The notes that were written last. */
  readonly #noted = new BoundedMap<string, string>({ entries: MAX_REMEMBERED });

  constructor(stores: SessionStores) {
    this.#stores = stores;
  }

  /** @throws A2AError if a store fails. */
  async save(agentId: string, view: TaskView): Promise<void> {
    try {
      await this.#save(agentId, view);
    } catch (error) {
      throw storeFailure('save the task', error);
    }
  }

  async #save(agentId: string, view: TaskView): Promise<void> {
    const name = await this.#claimName(agentId, view.id);
    const task = view.toReceivedTask();
    await this.#stores.tasks.save(coreTaskToV03({ ...task, id: name }, 'plain'));
    const noted = this.#noted.get(name);
    // Where to resume does not matter for a task that has settled.
    if (view.isSettled && noted !== undefined) return;
    // A view without all artifacts cannot be resumed from.
    const sequence = view.isIncomplete ? undefined : view.sequence;
    const note = JSON.stringify({ agentId, sequence, answered: view.answered });
    if (note === noted) return;
    await this.#stores.notes.write(noteKey(name), note);
    this.#noted.set(name, note);
  }

  /** @throws A2AError if a store fails. */
  async load(agentId: string, taskId: string): Promise<TaskView | undefined> {
    try {
      return await this.#load(agentId, taskId);
    } catch (error) {
      throw storeFailure('load the task', error);
    }
  }

  async #load(agentId: string, taskId: string): Promise<TaskView | undefined> {
    for (let name = taskId; ; name = nextName(name, agentId)) {
      const saved = await this.#stores.tasks.load(name);
      if (saved === undefined) return undefined;
      const note = await this.#noteOf(name);
      if ((note.agentId ?? agentId) !== agentId) continue;
      // Validated, because a user's store may return anything.
      const task = taskSchema.parse(v03TaskToCore({ ...saved, id: taskId }));
      const view = new TaskView(task, note.sequence, this.#stores.maxViewLength);
      view.markAnswered(note.answered);
      return view;
    }
  }

  /** Returns what to say if so many files could not be saved that a model does not read about each of them. */
  async saveFiles(agentId: string, { id, artifacts = [], status }: Task): Promise<string | undefined> {
    const { message } = status;
    const own = artifacts.map((each) => ({ ...each, artifactId: artifactIdBesideMessage(each.artifactId) }));
    return await this.#saveArtifacts(
      agentId,
      id,
      message === undefined ? own : [...own, asArtifact(message)],
    );
  }

  /** Saves the files of a plain message under the id of the message. */
  async saveMessageFiles(agentId: string, message: Message): Promise<void> {
    await this.#saveArtifacts(agentId, message.messageId, [asArtifact(message)]);
  }

  async filesOf(agentId: string, taskId: string, artifactIds: readonly string[]): Promise<SavedFiles> {
    const { files } = this.#stores;
    if (files === null) return { paths: {}, errors: {}, unsaved: {} };
    const name = await this.#claimName(agentId, taskId);
    const paths: [string, string[]][] = [];
    const failures: [string, SaveFailure][] = [];
    for (const artifactId of artifactIds) {
      const found = await files.get(name, artifactId);
      if (found.length > 0) paths.push([artifactId, found]);
      const failure = this.#failures.get(keyOf(name, artifactId));
      if (failure !== undefined) failures.push([artifactId, failure]);
    }
    // From entries: an agent may call its artifact `__proto__`.
    return {
      paths: Object.fromEntries(paths),
      errors: Object.fromEntries(failures.map(([artifactId, { message }]) => [artifactId, message])),
      unsaved: Object.fromEntries(failures.map(([artifactId, { unsaved }]) => [artifactId, unsaved])),
    };
  }

  async #saveArtifacts(
    agentId: string,
    taskId: string,
    artifacts: readonly Artifact[],
  ): Promise<string | undefined> {
    const { files } = this.#stores;
    if (files === null) return undefined;
    let name: string | undefined;
    const unsaved: UnsavedFile[] = [];
    using deadline = new Deadline(FILES_MILLISECONDS);
    for (const artifact of artifacts) {
      const ownFiles = new Set<string>();
      const parts = await this.#fileParts(artifact.parts, ownFiles);
      if (parts.length === 0) continue;
      name ??= await this.#claimName(agentId, taskId);
      const key = keyOf(name, artifact.artifactId);
      const content = digestOf(parts.map(({ raw, url }) => url ?? raw?.length).join(' '));
      if (this.#saved.get(key) === content) continue;
      try {
        await files.save(name, coreArtifactToV03({ ...artifact, parts }, 'plain'), {
          ownFiles,
          signal: deadline.signal,
        });
        this.#saved.set(key, content);
        this.#failures.delete(key);
      } catch (error) {
        const failure = failureOf(error, parts);
        this.#failures.set(key, failure);
        for (const each of failure.unsaved) unsaved.push(each);
      }
    }
    const reason = unsaved.at(-1)?.reason;
    if (reason === undefined || unsaved.length <= MAX_UNSAVED_SHOWN) return undefined;
    return `${formatCount(unsaved.length)} files were not saved, the last of them because ${reason}.`;
  }

  /** The parts that are files. A long text or long data that is in a file is not one of the agent's files. */
  async #fileParts(parts: readonly Part[], ownFiles: Set<string>): Promise<Part[]> {
    const files: Part[] = [];
    for (const part of parts) {
      const { raw, url } = part;
      if (raw === undefined && url === undefined) continue;
      const large = await this.#stores.largeParts?.find(url);
      if (large !== undefined && large.kind !== 'raw') continue;
      if (large !== undefined && url !== undefined) ownFiles.add(url);
      files.push(part);
    }
    return files;
  }

  /** Reserves the name of an agent's task in the stores. */
  async #claimName(agentId: string, taskId: string): Promise<string> {
    for (let name = taskId; ; name = nextName(name, agentId)) {
      const known = this.#owners.get(name);
      if (known !== undefined) {
        if (known === agentId) return name;
        continue;
      }
      const note = await this.#noteOf(name);
      // A concurrent call may have reserved it.
      if (this.#owners.has(name)) {
        if (this.#owners.get(name) === agentId) return name;
        continue;
      }
      this.#owners.set(name, note.agentId ?? agentId);
      if ((note.agentId ?? agentId) === agentId) return name;
    }
  }

  async #noteOf(name: string): Promise<TaskNote> {
    const { agentId, sequence, answered } = parseNote(await this.#stores.notes.read(noteKey(name)));
    return {
      ...(typeof agentId === 'string' && { agentId }),
      ...(typeof sequence === 'number' && { sequence }),
      answered: askedQuestionSchema.safeParse(answered).data,
    };
  }
}

/** The text of a store is for the operator: it may contain paths and secrets. */
export function storeFailure(what: string, cause: unknown): A2AError {
  return new A2AError(
    'INTERNAL',
    `The task store could not ${what}. Check the taskStore of the session, and the "cause" of this error.`,
    { cause },
  );
}

function failureOf(error: unknown, files: readonly Part[]): SaveFailure {
  if (isFilesNotSavedError(error)) return { message: error.message, unsaved: error.unsaved };
  return {
    message: error instanceof Error ? error.message : 'The file could not be saved.',
    // For models: the message of a user's store may contain secrets.
    unsaved: files.map(({ filename }, index) => ({
      index,
      name: filename ?? null,
      reason: 'the file store failed',
    })),
  };
}

/** Short, because it is remembered: an agent may name files by URLs of any length. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function asArtifact({ parts }: Message): Artifact {
  return { artifactId: MESSAGE_ARTIFACT, parts };
}

function parseNote(note: string | undefined): Record<string, unknown> {
  try {
    return asObject(JSON.parse(note ?? ''));
  } catch {
    return {};
  }
}

/** The name to try next if another agent has this one; agents choose ids, so that one can be taken as well. */
function nextName(name: string, agentId: string): string {
  return `${name}@${agentId}`;
}

function noteKey(name: string): string {
  return `task-${name}`;
}

function keyOf(taskId: string, artifactId: string): string {
  return JSON.stringify([taskId, artifactId]);
}
