import type { ExcessCursor, PageCursor, TaskHeader } from '../../port.ts';
import { codeToState } from '../../state-codes.ts';
import { integer, text, type Row } from '../columns.ts';

/** The columns of `tasks` that `rowToHeader` needs. */
export const HEADER_COLUMNS = `
  key, id, owner, context_id, state, status_time, status, created_at, fence, first_sequence, last_sequence`;

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
