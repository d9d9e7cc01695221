import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rm, truncate, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '@holdword/protocol/internal';
import { upperBound } from '../memory/sorted-list.ts';
import { entriesToEvents } from '../memory/task-row.ts';
import type { CommittedEvent } from '../port.ts';
import { corrupt, unavailable } from '../rejections.ts';
import { isStoreError, type StoreError } from '../store-error.ts';
import { eventsOfLine, formatLine, parseLine, type JournalLine } from './journal-line.ts';
import { replaceFile, syncFolder } from './replace-file.ts';

/** A read stops here: readers pull at their own pace and should not hold a long journal in memory (J5). */
const ENOUGH_BYTES = 1024 * 1024;

export interface LineToWrite {
  taskId: string;
  line: JournalLine;
}

/** Deletes the file with all its lines. */
export interface FileToRemove {
  taskId: string;
  line?: undefined;
}

export type JournalChange = LineToWrite | FileToRemove;

/**
 * The journal files, one per task, append-only until retention trims or deletes them. Responsible for a line being on disk
 * before anybody sees it (J1) and for undoing a failed write. Leaves to the store what may be written, and that each task
 * has at most one write at a time.
 */
export class JournalFiles {
  readonly #folder: string;
  readonly #lines: Map<string, EventLines>;
  /** The files that are being trimmed or deleted: until that is complete, the index does not match them. */
  readonly #rewrites = new Map<string, Promise<unknown>>();
  /** A failed write could not be undone: appending more would leave half a line in the middle of the file. */
  #isDamaged = false;

  constructor(folder: string, lines: Map<string, EventLines>) {
    this.#folder = folder;
    this.#lines = lines;
  }

  /** Returns an error or undefined for each change: a bad file does not affect the others. */
  async write(group: readonly JournalChange[]): Promise<(StoreError | undefined)[]> {
    const rewritten = group.filter(({ line }) => line === undefined || line.kind === 'trimmed');
    const written = this.#writeGroup(group);
    for (const { taskId } of rewritten) this.#rewrites.set(taskId, written);
    try {
      return await written;
    } finally {
      for (const { taskId } of rewritten) this.#rewrites.delete(taskId);
    }
  }

  async #writeGroup(group: readonly JournalChange[]): Promise<(StoreError | undefined)[]> {
    const results = await Promise.all(group.map((item) => this.#write(item)));
    const created = group.filter(({ line }, index) => line?.kind === 'task' && isLength(results[index]));
    const folderFailure = created.length === 0 ? undefined : await this.#syncFolder(created);
    return group.map(({ taskId, line }, index) => {
      const result = results[index];
      if (!isLength(result)) return result;
      if (line?.kind === 'task' && folderFailure !== undefined) return folderFailure;
      if (line === undefined) this.#lines.delete(taskId);
      else this.#recordLine(taskId, line, result);
      return undefined;
    });
  }

  async readEvents(taskId: string, after: number, limit: number): Promise<CommittedEvent[]> {
    const known = this.#lines.get(taskId);
    const lines = known?.after(after) ?? [];
    const events: CommittedEvent[] = [];
    let file: FileHandle | undefined;
    let bytes = 0;
    try {
      for (const line of lines) {
        if (events.length >= limit || bytes >= ENOUGH_BYTES) break;
        file ??= await open(this.#path(taskId), 'r');
        const { firstSequence, entries } = await this.#readLine(file, taskId, line);
        const wanted = entriesToEvents(entries, firstSequence).filter((event) => event.sequence > after);
        events.push(...wanted.slice(0, limit - events.length));
        bytes += line.length;
      }
    } catch (error) {
      // The file was trimmed or deleted meanwhile, so the index was outdated.
      await this.#rewrites.get(taskId);
      if (this.#lines.get(taskId) !== known) return await this.readEvents(taskId, after, limit);
      if (isStoreError(error)) throw error;
      throw unavailable('cannot read a file in the data folder; check the disk and the permissions', error);
    } finally {
      await file?.close().catch(() => undefined);
    }
    return events;
  }

  async #readLine(file: FileHandle, taskId: string, line: EventLine) {
    const buffer = Buffer.allocUnsafe(line.length);
    const { bytesRead } = await file.read(buffer, 0, line.length, line.offset);
    const parsed = bytesRead === line.length ? parseLine(buffer.toString()) : undefined;
    const events = parsed && eventsOfLine(parsed);
    if (events === undefined) throw changed(taskId);
    return events;
  }

  #write(change: JournalChange): Promise<number | StoreError> {
    if (change.line === undefined) return this.#removeFile(change.taskId);
    return change.line.kind === 'trimmed'
      ? this.#replaceFile(change.taskId, change.line)
      : this.#writeLine(change);
  }

  async #removeFile(taskId: string): Promise<number | StoreError> {
    try {
      await rm(this.#path(taskId), { force: true });
      await syncFolder(this.#folder);
      return 0;
    } catch (error) {
      return writeFailed(error);
    }
  }

  async #replaceFile(taskId: string, line: JournalLine): Promise<number | StoreError> {
    const content = formatLine(line);
    try {
      await replaceFile(this.#path(taskId), content);
      return Buffer.byteLength(content);
    } catch (error) {
      return writeFailed(error);
    }
  }

  /** Returns the length of the line on disk in bytes. */
  async #writeLine({ taskId, line }: LineToWrite): Promise<number | StoreError> {
    if (this.#isDamaged)
      return unavailable('an earlier write was interrupted and could not be undone; restart Holdword');
    const content = Buffer.from(formatLine(line));
    let file: FileHandle | undefined;
    try {
      const flags = line.kind === 'task' ? 'ax' : constants.O_WRONLY | constants.O_APPEND;
      file = await open(this.#path(taskId), flags, 0o600);
      // A line at the end of another file would be acknowledged and not be found again.
      const found = await file.stat();
      const known = this.#lines.get(taskId)?.length ?? 0;
      if (found.isFile() && found.size !== known) return changed(taskId);
      await file.writeFile(content);
      await file.sync();
      return content.length;
    } catch (error) {
      if (file !== undefined) await this.#undo(taskId);
      return writeFailed(error);
    } finally {
      // The line is already synced or undone; closing the file changes neither.
      await file?.close().catch(() => undefined);
    }
  }

  async #syncFolder(created: readonly JournalChange[]): Promise<StoreError | undefined> {
    try {
      await syncFolder(this.#folder);
      return undefined;
    } catch (error) {
      for (const { taskId } of created) await this.#undo(taskId);
      return writeFailed(error);
    }
  }

  #recordLine(taskId: string, line: JournalLine, length: number): void {
    const events = eventsOfLine(line);
    const existing = line.kind === 'trimmed' ? undefined : this.#lines.get(taskId);
    const lines = existing ?? new EventLines();
    lines.add(length, events && events.firstSequence + events.entries.length - 1);
    this.#lines.set(taskId, lines);
  }

  /** Restores the file to what was acknowledged. */
  async #undo(taskId: string): Promise<void> {
    const lines = this.#lines.get(taskId);
    try {
      await (lines === undefined ? rm(this.#path(taskId)) : truncate(this.#path(taskId), lines.length));
    } catch {
      this.#isDamaged = true;
    }
  }

  #path(taskId: string): string {
    return join(this.#folder, journalFileName(taskId));
  }
}

function isLength(result: number | StoreError | undefined): result is number {
  return typeof result === 'number';
}

function changed(taskId: string): StoreError {
  return corrupt(journalFileName(taskId), 'another program has changed it');
}

function writeFailed(error: unknown): StoreError {
  if (hasErrorCode(error, 'ENOENT')) {
    return unavailable(
      'a file or folder of the data was removed; put it back, or restore a backup and restart',
      error,
    );
  }
  return unavailable('cannot write a file in the data folder; check the disk and the permissions', error);
}

/** The location of a line with events in its file. */
interface EventLine {
  lastSequence: number;
  offset: number;
  length: number;
}

/** The index of a task's file: its length and the locations of its events. */
export class EventLines {
  readonly #lines: EventLine[] = [];
  /** The file's length in bytes, counting only acknowledged lines. */
  length = 0;

  /** Records a line at the end of the file; `lastSequence` is undefined if it has no events. */
  add(length: number, lastSequence: number | undefined): void {
    if (lastSequence !== undefined) this.#lines.push({ lastSequence, offset: this.length, length });
    this.length += length;
  }

  /** The lines with events above `after`, in order. */
  *after(after: number): Generator<EventLine> {
    const from = upperBound(this.#lines, (line) => line.lastSequence > after);
    for (let index = from; index < this.#lines.length; index += 1) {
      const line = this.#lines[index];
      if (line !== undefined) yield line;
    }
  }
}

const JOURNAL_EXTENSION = '.jsonl';

export function journalFileName(taskId: string): string {
  return taskFileName(taskId, JOURNAL_EXTENSION);
}

export function isJournalFileName(name: string): boolean {
  return name.endsWith(JOURNAL_EXTENSION);
}

/** A name of fixed length that is valid and unique on every file system, including those that ignore case. */
export function taskFileName(taskId: string, extension: string): string {
  return `${createHash('sha256').update(taskId).digest('hex')}${extension}`;
}
