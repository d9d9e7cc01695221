import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceSharedFile } from '@holdword/store/internal';
import { safeName } from './safe-name.ts';
import { TaskTableStore } from './task-table-store.ts';
import type { TaskTable } from './task-table.ts';

/** Keeps each task as a JSON file of its own: `<folder>/<task id>.json`. */
export class JSONTaskStore extends TaskTableStore {
  constructor(folder: string) {
    super(new FolderTable(folder));
  }
}

const EXTENSION = '.json';
/** Holds a folder for each scope. The name is no task's: those end with the extension. */
const SCOPES_FOLDER = 'scopes';

/** A write is on disk when its promise resolves; a crash leaves the old file or the new one. */
class FolderTable implements TaskTable {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  read(scope: string, taskId: string): Promise<string | undefined> {
    return readIfThere(this.#file(scope, taskId));
  }

  async write(scope: string, taskId: string, json: string): Promise<void> {
    await mkdir(this.#folderOf(scope), { recursive: true, mode: 0o700 });
    await replaceSharedFile(this.#file(scope, taskId), (handle) => handle.writeFile(json));
  }

  async remove(scope: string, taskId: string): Promise<void> {
    await rm(this.#file(scope, taskId), { force: true });
  }

  async list(scope: string): Promise<string[]> {
    const folder = this.#folderOf(scope);
    const names = await unlessMissing(readdir(folder));
    const tasks = (names ?? []).filter((name) => name.endsWith(EXTENSION));
    const contents = await Promise.all(tasks.map((name) => readIfThere(join(folder, name))));
    return contents.filter((content) => content !== undefined);
  }

  #folderOf(scope: string): string {
    return scope === '' ? this.#folder : join(this.#folder, SCOPES_FOLDER, safeName(scope));
  }

  #file(scope: string, taskId: string): string {
    return join(this.#folderOf(scope), `${safeName(taskId)}${EXTENSION}`);
  }
}

function readIfThere(file: string): Promise<string | undefined> {
  return unlessMissing(readFile(file, 'utf8'));
}

async function unlessMissing<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
