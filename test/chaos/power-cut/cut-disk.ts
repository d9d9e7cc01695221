import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Random } from '../random.ts';

/** What a process asked of its disk, in order, and what it had acknowledged by then. Paths are relative to the data folder. */
export type DiskOperation =
  | { kind: 'create'; path: string }
  /** Without an offset, at the end of the file. */
  | { kind: 'write'; path: string; offset?: number; bytes: Buffer }
  | { kind: 'truncate'; path: string; length: number }
  /** Of a file: its contents are on disk. */
  | { kind: 'sync'; path: string }
  /** Of a folder: its entries are on disk. */
  | { kind: 'sync-folder'; path: string }
  | { kind: 'rename'; path: string; to: string }
  | { kind: 'remove'; path: string }
  | { kind: 'note'; text: string };

/** What a power cut leaves of what was not synced. Torn: any of the 512-byte sectors of a write. */
export const CUTS = ['dropped', 'some', 'torn', 'kept'] as const;
export type Cut = (typeof CUTS)[number];

const SECTOR_BYTES = 512;

type ContentChange = Extract<DiskOperation, { kind: 'write' | 'truncate' }>;
type EntryChange = Extract<DiskOperation, { kind: 'create' | 'rename' | 'remove' }> & { file: DiskFile };

interface DiskFile {
  synced: Buffer;
  /** Since the last sync, in order. */
  unsynced: (ContentChange & { offset: number })[];
  /** With everything that was written. */
  length: number;
}

/**
 * A disk that promises what POSIX promises and no more: contents survive after a sync of their file, names after a sync of
 * their folder. Without one, anything between nothing and everything of it survives; names change in order.
 */
export class CutDisk {
  readonly #current = new Map<string, DiskFile>();
  readonly #syncedEntries = new Map<string, DiskFile>();
  readonly #unsyncedEntries = new Map<string, EntryChange[]>();

  apply(operation: DiskOperation): void {
    switch (operation.kind) {
      case 'create': {
        if (this.#current.has(operation.path)) return;
        const file = { synced: Buffer.alloc(0), unsynced: [], length: 0 };
        this.#current.set(operation.path, file);
        this.#changeEntry({ ...operation, file });
        return;
      }
      case 'write': {
        const file = this.#file(operation.path);
        const { offset = file.length } = operation;
        file.unsynced.push({ ...operation, offset });
        file.length = Math.max(file.length, offset + operation.bytes.length);
        return;
      }
      case 'truncate': {
        const file = this.#file(operation.path);
        file.unsynced.push({ ...operation, offset: 0 });
        file.length = operation.length;
        return;
      }
      case 'sync': {
        const file = this.#file(operation.path);
        file.synced = file.unsynced.reduce(changeContent, file.synced);
        file.unsynced = [];
        return;
      }
      case 'rename': {
        const file = this.#file(operation.path);
        this.#current.delete(operation.path);
        this.#current.set(operation.to, file);
        this.#changeEntry({ ...operation, file });
        return;
      }
      case 'remove': {
        const file = this.#current.get(operation.path);
        if (file === undefined) return;
        this.#current.delete(operation.path);
        this.#changeEntry({ ...operation, file });
        return;
      }
      case 'sync-folder':
        for (const change of this.#unsyncedEntries.get(operation.path) ?? [])
          changeEntries(this.#syncedEntries, change);
        this.#unsyncedEntries.delete(operation.path);
        return;
      case 'note':
      default:
    }
  }

  /** Whether pages of this file are on their way to the disk. */
  isUnsynced(path: string): boolean {
    return (this.#current.get(path)?.unsynced.length ?? 0) > 0;
  }

  /** Writes what the disk holds after a power cut to a folder. */
  async restore(folder: string, cut: Cut, random: Random): Promise<void> {
    const entries = new Map(this.#syncedEntries);
    for (const changes of this.#unsyncedEntries.values()) {
      const survive =
        cut === 'dropped' ? 0 : cut === 'kept' ? changes.length : random.integer(0, changes.length);
      for (const change of changes.slice(0, survive)) changeEntries(entries, change);
    }
    const contents = new Map<DiskFile, Buffer>();
    for (const [path, file] of entries) {
      const content = contents.get(file) ?? afterCut(file, cut, random);
      contents.set(file, content);
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
  }

  #file(path: string): DiskFile {
    const file = this.#current.get(path);
    if (file === undefined) throw new Error(`The recording uses ${path} without creating it.`);
    return file;
  }

  #changeEntry(change: EntryChange): void {
    const folder = dirname(change.path);
    const changes = this.#unsyncedEntries.get(folder) ?? [];
    changes.push(change);
    this.#unsyncedEntries.set(folder, changes);
  }
}

function changeEntries(entries: Map<string, DiskFile>, change: EntryChange): void {
  if (change.kind !== 'create') entries.delete(change.path);
  if (change.kind !== 'remove') entries.set(change.kind === 'rename' ? change.to : change.path, change.file);
}

function afterCut({ synced, unsynced }: DiskFile, cut: Cut, random: Random): Buffer {
  if (cut === 'dropped') return synced;
  if (cut === 'kept') return unsynced.reduce(changeContent, synced);
  const survivors = unsynced.flatMap((change) => {
    if (cut === 'some' || change.kind === 'truncate') return random.chance(0.5) ? [change] : [];
    return sectorsOf(change).filter(() => random.chance(0.5));
  });
  return survivors.reduce(changeContent, synced);
}

function sectorsOf(write: ContentChange & { kind: 'write'; offset: number }): (typeof write)[] {
  const sectors: (typeof write)[] = [];
  for (let from = 0; from < write.bytes.length;) {
    const offset = write.offset + from;
    const length = SECTOR_BYTES - (offset % SECTOR_BYTES);
    sectors.push({ ...write, offset, bytes: write.bytes.subarray(from, from + length) });
    from += length;
  }
  return sectors;
}

function changeContent(content: Buffer, change: ContentChange & { offset: number }): Buffer {
  const length =
    change.kind === 'truncate'
      ? change.length
      : Math.max(content.length, change.offset + change.bytes.length);
  const changed = Buffer.alloc(length);
  content.copy(changed, 0, 0, length);
  if (change.kind === 'write') change.bytes.copy(changed, change.offset);
  return changed;
}
