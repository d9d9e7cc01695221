import { readdir, readFile, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import {
  appendToRow,
  checkAppend,
  newTaskRow,
  trimmedRow,
  type OwnedKey,
  type TaskRow,
} from '../memory/task-row.ts';
import type { TaskTable } from '../memory/task-table.ts';
import { corrupt, newerVersion } from '../rejections.ts';
import { isStoreError } from '../store-error.ts';
import { EventLines, isJournalFileName, journalFileName } from './journal-files.ts';
import { eventsOfLine, parseLine, parseVersion, TRIMMED_VERSION, type JournalLine } from './journal-line.ts';

interface LoadedTask {
  row: TaskRow;
  lines: EventLines;
  idempotency: OwnedKey[];
}

/**
 * Reads every journal once and fills the table. A truncated or unreadable last line was being written when the process died:
 * it was never acknowledged, so it is removed. No file is changed before all of them have been verified.
 */
export async function loadJournals(folder: string, table: TaskTable): Promise<Map<string, EventLines>> {
  const names = (await readdir(folder)).filter(isJournalFileName);
  const loaded: LoadedTask[] = [];
  const repairs: { path: string; length: number }[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const content = await readFile(path);
    const task = loadJournal(name, content);
    const length = task?.lines.length ?? 0;
    if (length < content.length || length === 0) repairs.push({ path, length });
    if (task !== undefined) loaded.push(task);
  }
  for (const { path, length } of repairs) await (length === 0 ? rm(path) : truncate(path, length));

  // In list order each row is added at the end, which keeps loading linear.
  loaded.sort(
    (one, other) => one.row.header.statusTime - other.row.header.statusTime || one.row.key - other.row.key,
  );
  for (const { row, idempotency } of loaded) {
    table.add(row);
    for (const entry of idempotency) table.takeIdempotencyKey(row.header.taskId, entry.owner, entry);
  }
  return new Map(loaded.map(({ row, lines }) => [row.header.taskId, lines]));
}

/** Returns undefined if even the first line is incomplete. */
function loadJournal(name: string, content: Buffer): LoadedTask | undefined {
  let task: LoadedTask | undefined;
  let start = 0;
  while (start < content.length) {
    const end = content.indexOf('\n', start) + 1;
    if (end === 0) break;
    const text = content.toString('utf8', start, end);
    if (start === 0) rejectNewerVersion(name, text);
    const line = parseLine(text);
    if (line === undefined) {
      if (end === content.length) break;
      throw corrupt(name, `the line at byte ${start} is unreadable`);
    }
    task = applyLine(name, start, task, line);
    const events = eventsOfLine(line);
    task.lines.add(end - start, events && events.firstSequence + events.entries.length - 1);
    start = end;
  }
  return task;
}

function rejectNewerVersion(name: string, firstLine: string): void {
  const version = parseVersion(firstLine);
  if (version !== undefined && version > TRIMMED_VERSION) throw newerVersion(name, version, TRIMMED_VERSION);
}

function applyLine(name: string, start: number, task: LoadedTask | undefined, line: JournalLine): LoadedTask {
  if (line.kind === 'task' && task === undefined && journalFileName(line.task.taskId) === name) {
    const { owner, idempotency } = line.task;
    return {
      row: newTaskRow(line.task, line.key),
      lines: new EventLines(),
      idempotency: idempotency === undefined ? [] : [{ owner, ...idempotency }],
    };
  }
  if (line.kind === 'trimmed' && task === undefined && journalFileName(line.header.taskId) === name) {
    const { key, header, entry, idempotency } = line;
    return { row: trimmedRow(header, key, entry), lines: new EventLines(), idempotency: [...idempotency] };
  }
  if (task === undefined || line.kind === 'task' || line.kind === 'trimmed') throw misplacedLine(name, start);
  if (line.kind === 'lease') {
    task.row.header.fence = line.fence;
    task.row.holder = line.holder;
    return task;
  }
  try {
    appendToRow(checkAppend(task.row, line.append), line.append);
  } catch (error) {
    throw isStoreError(error) ? misplacedLine(name, start, error) : error;
  }
  if (line.append.idempotency !== undefined) task.idempotency.push(line.append.idempotency);
  return task;
}

function misplacedLine(name: string, start: number, cause?: unknown): Error {
  return corrupt(name, `the line at byte ${start} does not follow the previous line`, cause);
}
