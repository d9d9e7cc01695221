import { isObject } from '@holdword/protocol/internal';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Snapshot } from '../port.ts';
import { unavailable } from '../rejections.ts';
import { replaceFile, Serial } from './replace-file.ts';
import { taskFileName } from './journal-files.ts';

/**
 * Snapshots, one file per task. Until a journal is trimmed they only save time: an unreadable snapshot counts as missing, and
 * the journal is folded from its start instead.
 */
export class SnapshotFiles {
  readonly #folder: string;
  readonly #serial = new Serial();
  /** In bytes, by file name. */
  readonly #sizes: Map<string, number>;

  static async open(folder: string): Promise<SnapshotFiles> {
    const sizes = new Map<string, number>();
    for (const name of await readdir(folder)) sizes.set(name, (await stat(join(folder, name))).size);
    return new SnapshotFiles(folder, sizes);
  }

  private constructor(folder: string, sizes: Map<string, number>) {
    this.#folder = folder;
    this.#sizes = sizes;
  }

  /** The size of the snapshot of a task on disk, in bytes. */
  sizeOf(taskId: string): number {
    return this.#sizes.get(fileName(taskId)) ?? 0;
  }

  /** Returns how many bytes the file has grown by. */
  write(taskId: string, snapshot: Snapshot): Promise<number> {
    return this.#serial.run(async () => {
      const current = await this.read(taskId);
      if (current !== undefined && current.sequence > snapshot.sequence) return 0;
      const { sequence, json } = snapshot;
      const content = JSON.stringify({ sequence, json });
      try {
        await replaceFile(this.#path(taskId), content);
      } catch (error) {
        throw unavailable('cannot write a snapshot; check the disk and the permissions', error);
      }
      const sizeBefore = this.sizeOf(taskId);
      this.#sizes.set(fileName(taskId), Buffer.byteLength(content));
      return this.sizeOf(taskId) - sizeBefore;
    });
  }

  async read(taskId: string, mostCharacters = Infinity): Promise<Snapshot | undefined> {
    let value: unknown;
    try {
      if (mostCharacters !== Infinity && (await stat(this.#path(taskId))).size > mostCharacters)
        return undefined;
      value = JSON.parse(await readFile(this.#path(taskId), 'utf8'));
    } catch {
      return undefined;
    }
    return isSnapshot(value) ? { sequence: value.sequence, json: value.json } : undefined;
  }

  remove(taskId: string): Promise<void> {
    return this.#serial.run(async () => {
      await rm(this.#path(taskId), { force: true });
      this.#sizes.delete(fileName(taskId));
    });
  }

  close(): Promise<void> {
    return this.#serial.idle();
  }

  #path(taskId: string): string {
    return join(this.#folder, fileName(taskId));
  }
}

function fileName(taskId: string): string {
  return taskFileName(taskId, '.json');
}

function isSnapshot(value: unknown): value is Snapshot {
  return isObject(value) && typeof value['sequence'] === 'number' && typeof value['json'] === 'string';
}
