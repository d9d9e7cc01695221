import { access, constants, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '@holdword/protocol/internal';
import { makeFolders, replaceSharedFile } from '@holdword/store/internal';
import { checkArgument, isFolder } from '../basics/check-options.ts';
import { safeName } from './safe-name.ts';
import { type TaskTable, TaskTableStore } from './task-table-store.ts';

/**
 * Stores each task in its own JSON file, `<folder>/<task id>.json`. A task is on disk when `save` resolves, and a crash
 * leaves either the old file or the new one.
 *
 * @example
 * ```ts
 * import { A2AAgents, A2ASession, JSONTaskStore } from '@holdword/client';
 *
 * const taskStore = new JSONTaskStore('./storage/tasks');
 * const session = new A2ASession(new A2AAgents('./agents.json'), { taskStore });
 * console.log(await session.sendMessage('research-bot', 'Hello'));
 * ```
 */
export class JSONTaskStore extends TaskTableStore {
  /** Folder for contents that are too large for memory: `<folder>/large-parts`. */
  readonly largePartsFolder: string;

  /**
   * @param folder Created on first use.
   * @throws TypeError if it is not the path of a folder.
   */
  constructor(folder: string) {
    checkArgument('new JSONTaskStore(folder)', 'folder', folder, isFolder);
    super(new FolderTable(folder));
    this.largePartsFolder = join(folder, LARGE_PARTS_FOLDER);
  }
}

const EXTENSION = '.json';
/** Contains a folder per scope. Neither can be the name of a task, because those end with the extension. */
const SCOPES_FOLDER = 'scopes';
const LARGE_PARTS_FOLDER = 'large-parts';
/** In the JSON of a task. The names are random, so that no agent can name a file of another task. */
const LARGE_PART_FILE = /\/large-parts\/([0-9a-f-]{36}\.[a-z]{3,4})"/g;

/** A write is on disk when its promise resolves; a crash leaves the old file or the new one. */
class FolderTable implements TaskTable {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(scope: string, taskId: string): Promise<string | undefined> {
    return this.#explained(() => readIfThere(this.#file(scope, taskId)));
  }

  async write(scope: string, taskId: string, json: string): Promise<void> {
    await this.#explained(async () => {
      makeFolders(this.#folderOf(scope));
      await replaceSharedFile(this.#file(scope, taskId), (handle) => handle.writeFile(json));
    });
  }

  async remove(scope: string, taskId: string): Promise<void> {
    const file = this.#file(scope, taskId);
    await this.#explained(async () => {
      const json = await readIfThere(file);
      await rm(file, { force: true });
      for (const [, name = ''] of json?.matchAll(LARGE_PART_FILE) ?? []) {
        await rm(join(this.#folder, LARGE_PARTS_FOLDER, name), { force: true });
      }
    });
  }

  async list(scope: string): Promise<string[]> {
    const folder = this.#folderOf(scope);
    const names = await this.#explained(() => unlessMissing(readdir(folder)));
    const tasks = (names ?? []).filter((name) => name.endsWith(EXTENSION));
    const contents = await Promise.all(tasks.map((name) => readIfThere(join(folder, name))));
    return contents.filter((content) => content !== undefined);
  }

  /** The reasons of the system name calls and files, but not what to do. */
  async #explained<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw unusableFolder(this.#folder, error);
    }
  }

  #folderOf(scope: string): string {
    return scope === '' ? this.#folder : join(this.#folder, SCOPES_FOLDER, safeName(scope));
  }

  #file(scope: string, taskId: string): string {
    return join(this.#folderOf(scope), `${safeName(taskId)}${EXTENSION}`);
  }
}

/** @throws Error if tasks cannot be stored in the folder, which is created. */
export async function prepareTaskFolder(folder: string): Promise<void> {
  try {
    makeFolders(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusableFolder(folder, error);
  }
}

function unusableFolder(folder: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(
    `Tasks cannot be stored in the folder "${folder}": ${reason}. Choose a folder that this program can create and write to.`,
    { cause },
  );
}

function readIfThere(file: string): Promise<string | undefined> {
  return unlessMissing(readFile(file, 'utf8'));
}

async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
