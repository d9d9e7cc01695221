import type { PageCursor } from './port.ts';

/** Sorts before every task: where a list without a cursor starts. */
export const FIRST_POSITION: PageCursor = { statusTime: Number.MIN_SAFE_INTEGER, tieBreak: 0 };
