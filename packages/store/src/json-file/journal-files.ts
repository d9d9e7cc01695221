import { open, rm, truncate, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { entriesToEvents } from '../memory/entries-to-events.ts';
import type { CommittedEvent } from '../port.ts';
import { corrupt, unavailable } from '../refusals.ts';
import { EventLines, type EventLine } from './event-lines.ts';
import { eventsOfLine, formatLine, parseLine, type JournalLine } from './journal-line.ts';
import { syncFolder } from './sync-folder.ts';
import { taskFileName } from './task-file-name.ts';

/** A read ends early here: readers pull at their own speed and should not hold a long journal in memory (J5). */
const ENOUGH_BYTES = 1024 * 1024;

export interface LineToWrite {
  taskId: string;
  line: JournalLine;
}

/**
 * The files of all tasks, one each, only ever added to. Responsible for a line being on disk before anybody hears of it
 * (J1) and for a failed write leaving no trace. Leaves to the store: what may be written, and one line per task at a time.
 */
export class JournalFiles {
  readonly #folder: string;
  readonly #lines: Map<string, EventLines>;
  /** A failed write that could not be undone: adding more would bury half a line inside the file. */
  #isDamaged = false;

  constructor(folder: string, lines: Map<string, EventLines>) {
    this.#folder = folder;
    this.#lines = lines;
  }

  /** Settles each line by itself: one full disk quota or one bad file leaves the others alone. */
  async write(group: readonly LineToWrite[]): Promise<PromiseSettledResult<void>[]> {
    const created = group.filter(({ line }) => line.kind === 'task');
    const results = await Promise.allSettled(group.map((item) => this.#writeLine(item)));
    if (created.length === 0) return results;
    try {
      await syncFolder(this.#folder);
      return results;
    } catch (error) {
      for (const { taskId } of created) await this.#undo(taskId, 0);
      const reason = writeFailed(error);
      return results.map((result, index) =>
        group[index]?.line.kind === 'task' ? { status: 'rejected', reason } : result,
      );
    }
  }

  async readEvents(taskId: string, after: number, limit: number): Promise<CommittedEvent[]> {
    const lines = this.#lines.get(taskId)?.after(after) ?? [];
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
    } finally {
      await file?.close();
    }
    return events;
  }

  async #readLine(file: FileHandle, taskId: string, line: EventLine) {
    const buffer = Buffer.allocUnsafe(line.length);
    const { bytesRead } = await file.read(buffer, 0, line.length, line.offset);
    const parsed = bytesRead === line.length ? parseLine(buffer.toString()) : undefined;
    const events = parsed && eventsOfLine(parsed);
    if (events === undefined) throw corrupt(taskFileName(taskId), 'it was changed by another program');
    return events;
  }

  async #writeLine({ taskId, line }: LineToWrite): Promise<void> {
    if (this.#isDamaged) throw unavailable('an earlier write to the disk failed half-way; restart Parley');
    const lines = this.#lines.get(taskId) ?? new EventLines();
    const text = formatLine(line);
    try {
      const file = await open(this.#path(taskId), line.kind === 'task' ? 'ax' : 'a', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      await this.#undo(taskId, lines.length);
      throw writeFailed(error);
    }
    const events = eventsOfLine(line);
    lines.add(Buffer.byteLength(text), events && events.firstSequence + events.entries.length - 1);
    this.#lines.set(taskId, lines);
  }

  async #undo(taskId: string, length: number): Promise<void> {
    try {
      if (length === 0) {
        await rm(this.#path(taskId), { force: true });
        this.#lines.delete(taskId);
      } else {
        await truncate(this.#path(taskId), length);
      }
    } catch {
      this.#isDamaged = true;
    }
  }

  #path(taskId: string): string {
    return join(this.#folder, taskFileName(taskId));
  }
}

function writeFailed(error: unknown): Error {
  return unavailable(
    'a file in the data folder could not be written; check the disk and the permissions',
    error,
  );
}
