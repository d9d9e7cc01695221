import type { PageCursor } from './port.ts';

/** Before every task: where a list without a cursor begins. */
export const FIRST_PLACE: PageCursor = { statusTime: Number.MIN_SAFE_INTEGER, tieBreak: 0 };
