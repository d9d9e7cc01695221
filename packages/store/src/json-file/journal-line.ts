import { isObject } from '@holdword/protocol/internal';
import type { OwnedKey } from '../memory/task-row.ts';
import type { JournalAppend, JournalEntry, NewTask, StatusChange, TaskHeader } from '../port.ts';

/** The version of a file that starts with its task. */
export const JOURNAL_VERSION = 1;
/** The version of a trimmed file, and the newest version that this code reads. */
export const TRIMMED_VERSION = 2;

/**
 * The lines of a task's file, each a JSON value: first the task with its first events, or what trimming has kept of both,
 * then appends and lease changes in the order of their commits.
 */
export type JournalLine = TaskLine | TrimmedLine | AppendLine | LeaseLine;

export interface TaskLine {
  kind: 'task';
  version: number;
  key: number;
  task: NewTask;
}

export interface TrimmedLine {
  kind: 'trimmed';
  version: number;
  key: number;
  header: TaskHeader;
  /** The last event. */
  entry: JournalEntry;
  idempotency: readonly OwnedKey[];
}

export interface AppendLine {
  kind: 'append';
  append: JournalAppend;
}

export interface LeaseLine {
  kind: 'lease';
  fence: number;
  /** Absent if the lease was released. */
  holder?: string;
}

export function formatLine(line: JournalLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** Returns undefined for text that is not a journal line. */
export function parseLine(text: string): JournalLine | undefined {
  const value = parseJson(text);
  const isLine = isTaskLine(value) || isTrimmedLine(value) || isAppendLine(value) || isLeaseLine(value);
  return isLine ? value : undefined;
}

/** The events of a line, if it has any. */
export function eventsOfLine(
  line: JournalLine,
): { firstSequence: number; entries: readonly JournalEntry[] } | undefined {
  switch (line.kind) {
    case 'task':
      return { firstSequence: 1, entries: line.task.entries };
    case 'trimmed':
      return { firstSequence: line.header.lastSequence, entries: [line.entry] };
    case 'append':
      return line.append;
    case 'lease':
    default:
      return undefined;
  }
}

/** The version in the first line of a file, even if a later version has changed the shape of that line. */
export function parseVersion(firstLine: string): number | undefined {
  const value = parseJson(firstLine);
  return isObject(value) && typeof value['version'] === 'number' ? value['version'] : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTaskLine(value: unknown): value is TaskLine {
  return isObject(value) && value['kind'] === 'task' && isNumber(value['key']) && isNewTask(value['task']);
}

function isTrimmedLine(value: unknown): value is TrimmedLine {
  return (
    isObject(value) &&
    value['kind'] === 'trimmed' &&
    isNumber(value['key']) &&
    isHeader(value['header']) &&
    isEntry(value['entry']) &&
    Array.isArray(value['idempotency']) &&
    value['idempotency'].every((entry) => isIdempotency(entry) && isString(entry.owner))
  );
}

function isAppendLine(value: unknown): value is AppendLine {
  return isObject(value) && value['kind'] === 'append' && isAppend(value['append']);
}

function isLeaseLine(value: unknown): value is LeaseLine {
  return (
    isObject(value) &&
    value['kind'] === 'lease' &&
    isNumber(value['fence']) &&
    isOptional(value['holder'], isString)
  );
}

function isHeader(value: unknown): value is TaskHeader {
  return (
    isObject(value) &&
    ['taskId', 'owner', 'contextId', 'state', 'status'].every((name) => isString(value[name])) &&
    ['statusTime', 'createdAt', 'lastSequence', 'firstSequence', 'fence'].every((name) =>
      isNumber(value[name]),
    )
  );
}

function isNewTask(value: unknown): value is NewTask {
  return (
    isObject(value) &&
    [value['taskId'], value['owner'], value['contextId']].every(isString) &&
    isOptional(value['holder'], isString) &&
    isStatus(value['status']) &&
    isEntries(value['entries']) &&
    isOptional(value['idempotency'], isIdempotency)
  );
}

function isAppend(value: unknown): value is JournalAppend {
  return (
    isObject(value) &&
    isString(value['taskId']) &&
    isNumber(value['fence']) &&
    isNumber(value['firstSequence']) &&
    isEntries(value['entries']) &&
    isOptional(value['status'], isStatus) &&
    isOptional(value['releaseLease'], isBoolean) &&
    isOptional(value['idempotency'], isIdempotency)
  );
}

function isStatus(value: unknown): value is StatusChange {
  return isObject(value) && isString(value['state']) && isNumber(value['time']) && isString(value['json']);
}

function isEntries(value: unknown): value is JournalEntry[] {
  return Array.isArray(value) && value.length > 0 && value.every(isEntry);
}

function isEntry(value: unknown): value is JournalEntry {
  return (
    isObject(value) &&
    isString(value['json']) &&
    isOptional(value['internal'], isString) &&
    isOptional(value['changesStatus'], isBoolean)
  );
}

function isIdempotency(value: unknown): value is Record<string, unknown> {
  return isObject(value) && isString(value['key']) && isString(value['payloadHash']);
}

function isOptional(value: unknown, check: (value: unknown) => boolean): boolean {
  return value === undefined || check(value);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
