import { isObject } from '@holdword/protocol/internal';
import { readFile, rm } from 'node:fs/promises';
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

  constructor(folder: string) {
    this.#folder = folder;
  }

  write(taskId: string, snapshot: Snapshot): Promise<void> {
    return this.#serial.run(async () => {
      const current = await this.read(taskId);
      if (current !== undefined && current.sequence > snapshot.sequence) return;
      const { sequence, json } = snapshot;
      try {
        await replaceFile(this.#path(taskId), JSON.stringify({ sequence, json }));
      } catch (error) {
        throw unavailable('cannot write a snapshot; check the disk and the permissions', error);
      }
    });
  }

  async read(taskId: string): Promise<Snapshot | undefined> {
    let value: unknown;
    try {
      value = JSON.parse(await readFile(this.#path(taskId), 'utf8'));
    } catch {
      return undefined;
    }
    return isSnapshot(value) ? { sequence: value.sequence, json: value.json } : undefined;
  }

  remove(taskId: string): Promise<void> {
    return this.#serial.run(() => rm(this.#path(taskId), { force: true }));
  }

  close(): Promise<void> {
    return this.#serial.idle();
  }

  #path(taskId: string): string {
    return join(this.#folder, taskFileName(taskId, '.json'));
  }
}

function isSnapshot(value: unknown): value is Snapshot {
  return isObject(value) && typeof value['sequence'] === 'number' && typeof value['json'] === 'string';
}
