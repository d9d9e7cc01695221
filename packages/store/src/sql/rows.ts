import { isTerminal, type TaskState } from '@holdword/protocol';
import type {
  CommittedEvent,
  ExcessCursor,
  HolderState,
  JournalEntry,
  PageCursor,
  TaskHeader,
} from '../port.ts';
import { corrupt } from '../rejections.ts';

/*
 * How tasks and their events are stored as rows, the same in SQLite and PostgreSQL: state codes and headers of tasks, events
 * of the journal, and columns whose type is checked when they are read.
 */

/** Stored on disk: the meaning of a code never changes. */
const CODES: Readonly<Record<TaskState, number>> = {
  TASK_STATE_SUBMITTED: 1,
  TASK_STATE_WORKING: 2,
  TASK_STATE_COMPLETED: 3,
  TASK_STATE_FAILED: 4,
  TASK_STATE_CANCELED: 5,
  TASK_STATE_INPUT_REQUIRED: 6,
  TASK_STATE_REJECTED: 7,
  TASK_STATE_AUTH_REQUIRED: 8,
};

const ALL_STATES = Object.keys(CODES).filter(isTaskState);
const STATES = new Map(ALL_STATES.map((state) => [CODES[state], state]));

export const ALL_STATE_CODES: readonly number[] = Object.values(CODES);
export const ENDED_STATE_CODES: readonly number[] = ALL_STATES.filter(isTerminal).map(stateToCode);

/** The condition that a task has ended. Written like the one of the index `tasks_ended`, so that databases use that index. */
export const ENDED = `state IN (${ENDED_STATE_CODES.join(', ')})`;
/**
 * The condition that a task is neither running nor completed. Written like the one of the index `tasks_unusual`, which lists such
 * tasks of all owners by state: most tasks are never in it, so that it costs them nothing.
 */
export const UNUSUAL = `state IN (${ALL_STATES.filter(isUnusual).map(stateToCode).join(', ')})`;
/** The condition that a task is submitted or working. Written like the one of the index `tasks_running`. */
export const RUNNING = `state IN (${CODES.TASK_STATE_SUBMITTED}, ${CODES.TASK_STATE_WORKING})`;

/** The condition of the index that lists the tasks of all owners in a state. Undefined if there is none. */
export function indexConditionOf(state: TaskState): string | undefined {
  if (isUnusual(state)) return UNUSUAL;
  return state === 'TASK_STATE_COMPLETED' ? undefined : RUNNING;
}

function isUnusual(state: TaskState): boolean {
  return !['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING', 'TASK_STATE_COMPLETED'].includes(state);
}

export function stateToCode(state: TaskState): number {
  return CODES[state];
}

export function codeToState(code: number): TaskState {
  const state = STATES.get(code);
  if (state === undefined) throw corrupt('the database', `it contains the unknown task state ${code}`);
  return state;
}

function isTaskState(name: string): name is TaskState {
  return Object.hasOwn(CODES, name);
}

export function rowToHeader(row: Row): TaskHeader {
  return {
    taskId: text(row, 'id'),
    owner: text(row, 'owner'),
    contextId: text(row, 'context_id'),
    state: codeToState(integer(row, 'state')),
    statusTime: integer(row, 'status_time'),
    status: text(row, 'status'),
    createdAt: integer(row, 'created_at'),
    lastSequence: integer(row, 'last_sequence'),
    firstSequence: integer(row, 'first_sequence'),
    fence: integer(row, 'fence'),
  };
}

export function rowToCursor(row: Row): PageCursor {
  return { statusTime: integer(row, 'status_time'), tieBreak: integer(row, 'key') };
}

export function rowToHolder(row: Row): HolderState {
  return { holder: text(row, 'id'), aliveMilliseconds: integer(row, 'alive') };
}

export function rowToExcessCursor(row: Row): ExcessCursor {
  return { owner: text(row, 'owner'), ...rowToCursor(row) };
}

/**
 * How events are stored in the journal table: one row per append, one line per event. A line is the event's JSON, followed
 * by a tab and its internal JSON if it has any, and by a second tab and a mark if it changes the status. JSON on a single
 * line contains neither tabs nor line breaks, so nothing is escaped and reads return what was written, byte for byte.
 */
export type JournalRow = [
  count: number,
  /** Index within this row of the newest event that changes the status, -1 if none does. */
  statusIndex: number,
  lines: string,
];

const MAX_EVENTS = 256;
const MAX_CHARACTERS = 256 * 1024;
const STATUS_MARK = 's';

/** Splits long appends, so that reading one event never loads a very long row. */
export function entriesToRows(entries: readonly JournalEntry[]): JournalRow[] {
  const rows: JournalRow[] = [];
  let row: JournalRow | undefined;
  for (const entry of entries) {
    const line = entryToLine(entry);
    if (row === undefined || row[0] >= MAX_EVENTS || row[2].length + line.length > MAX_CHARACTERS) {
      row = [1, entry.changesStatus ? 0 : -1, line];
      rows.push(row);
    } else {
      if (entry.changesStatus) row[1] = row[0];
      row[0] += 1;
      row[2] += `\n${line}`;
    }
  }
  return rows;
}

export function rowToEvents(firstSequence: number, lines: string): CommittedEvent[] {
  return lines.split('\n').map((line, index) => lineToEvent(firstSequence + index, line));
}

/** The newest event in a row that changes the status and whose sequence number is at most `atMost`. */
export function rowToStatusEvent(
  firstSequence: number,
  lines: string,
  atMost: number,
): CommittedEvent | undefined {
  const upTo = lines.split('\n').slice(0, Math.max(0, atMost - firstSequence + 1));
  const index = upTo.findLastIndex((line) => line.endsWith(`\t${STATUS_MARK}`));
  const line = upTo[index];
  return line === undefined ? undefined : lineToEvent(firstSequence + index, line);
}

function entryToLine(entry: JournalEntry): string {
  if (entry.changesStatus) return `${entry.json}\t${entry.internal ?? ''}\t${STATUS_MARK}`;
  return entry.internal === undefined ? entry.json : `${entry.json}\t${entry.internal}`;
}

function lineToEvent(sequence: number, line: string): CommittedEvent {
  const [json = '', internal = ''] = line.includes('\t') ? line.split('\t') : [line];
  return internal === '' ? { sequence, json } : { sequence, json, internal };
}

/** A database row. Its columns are checked when they are read. */
export type Row = Readonly<Record<string, unknown>>;

export function integer(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw wrongType(column, 'a number', value);
  return value;
}

/** The text that `toDatabaseText` has stored in a column. */
export function text(row: Row, column: string): string {
  return fromDatabaseText(storedText(row, column));
}

/** The text in a column, as it is stored. */
export function storedText(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw wrongType(column, 'text', value);
  return value;
}

function wrongType(column: string, expected: string, value: unknown): Error {
  return corrupt(
    'the database',
    `column ${column} contains ${value === null ? 'NULL' : `a ${typeof value}`} instead of ${expected}`,
  );
}

const ESCAPE = '\u0001';
const ESCAPED_NUL = '\u0001\u0002';
const ESCAPED_ESCAPE = '\u0001\u0003';

/**
 * Escapes NUL characters, which the names that clients choose may contain: PostgreSQL rejects them, and node:sqlite in many
 * Node versions reads a text only up to its first NUL. Escaped texts sort like the originals.
 */
export function toDatabaseText(original: string): string {
  const wellFormed = original.isWellFormed() ? original : original.toWellFormed();
  if (!wellFormed.includes('\0') && !wellFormed.includes(ESCAPE)) return wellFormed;
  return wellFormed.replaceAll(ESCAPE, ESCAPED_ESCAPE).replaceAll('\0', ESCAPED_NUL);
}

export function fromDatabaseText(stored: string): string {
  if (!stored.includes(ESCAPE)) return stored;
  return stored.replaceAll(ESCAPED_NUL, '\0').replaceAll(ESCAPED_ESCAPE, ESCAPE);
}
