import type { Fittable } from './fittable.ts';
import { shareOut } from './share-out.ts';

export interface FittedList<Value> {
  readonly values: Value[];
  /** How many at the end found no place. */
  readonly omitted: number;
}

/**
 * The pieces in `room` characters of JSON, the commas between them included. What has no place is left out at the end;
 * saying so takes `note` characters of the room.
 */
export function fitList<Value>(
  pieces: readonly Fittable<Value>[],
  room: number,
  note: number,
): FittedList<Value> {
  const all = countFitting(pieces, room) === pieces.length;
  const roomForPieces = all ? room : room - note;
  const shown = pieces.slice(0, countFitting(pieces, roomForPieces));
  const shares = shareOut(
    roomForPieces - commasIn(shown.length),
    shown.map((piece) => ({ least: piece.least, wanted: piece.wanted() })),
  );
  return {
    values: shown.map((piece, index) => piece.fit(shares[index] ?? piece.least)),
    omitted: pieces.length - shown.length,
  };
}

/** How many of the first pieces have a place when each is as short as can be. */
function countFitting(pieces: readonly Fittable<unknown>[], room: number): number {
  let least = 0;
  for (const [index, piece] of pieces.entries()) {
    least += piece.least;
    if (least + commasIn(index + 1) > room) return index;
  }
  return pieces.length;
}

function commasIn(items: number): number {
  return Math.max(0, items - 1);
}
