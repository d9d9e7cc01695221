import type { Fittable } from './fittable.ts';
import { allocate } from './allocate.ts';

export interface FittedList<Value> {
  readonly values: Value[];
  /** Number of pieces omitted at the end. */
  readonly omitted: number;
}

/**
 * Fits pieces into `room` characters of JSON, including the commas between them. Pieces that do not fit are omitted at the
 * end; the note about omissions takes `note` characters.
 */
export function fitList<Value>(
  pieces: readonly Fittable<Value>[],
  room: number,
  note: number,
): FittedList<Value> {
  const all = countFitting(pieces, room) === pieces.length;
  const roomForPieces = all ? room : room - note;
  const shown = pieces.slice(0, countFitting(pieces, roomForPieces));
  const shares = allocate(
    roomForPieces - commasIn(shown.length),
    shown.map((piece) => ({ minLength: piece.minLength, fullLength: piece.fullLength() })),
  );
  return {
    values: shown.map((piece, index) => piece.fit(shares[index] ?? piece.minLength)),
    omitted: pieces.length - shown.length,
  };
}

/** The number of leading pieces that fit in their shortest form. */
function countFitting(pieces: readonly Fittable<unknown>[], room: number): number {
  let minLength = 0;
  for (const [index, piece] of pieces.entries()) {
    minLength += piece.minLength;
    if (minLength + commasIn(index + 1) > room) return index;
  }
  return pieces.length;
}

function commasIn(items: number): number {
  return Math.max(0, items - 1);
}
