import { isTerminal, type TaskState } from '@holdword/protocol';
import type { ExcessCursor, PageCursor, TaskHeader } from '../port.ts';
import { corrupt } from '../rejections.ts';
import { integer, text, type Row } from './columns.ts';

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
/** The condition that a task is submitted or working. Written like the one of the index `tasks_running`. */
export const RUNNING = `state IN (${CODES.TASK_STATE_SUBMITTED}, ${CODES.TASK_STATE_WORKING})`;

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

export function rowToExcessCursor(row: Row): ExcessCursor {
  return { owner: text(row, 'owner'), ...rowToCursor(row) };
}
