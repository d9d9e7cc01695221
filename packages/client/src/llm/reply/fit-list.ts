import { wantedLength, type Fittable } from './fittable.ts';
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
  const all = fitFirst(pieces, room);
  return all.omitted === 0 ? all : fitFirst(pieces, room - note);
}

function fitFirst<Value>(pieces: readonly Fittable<Value>[], room: number): FittedList<Value> {
  let kept = 0;
  let least = 0;
  for (const piece of pieces) {
    least += piece.least + (kept === 0 ? 0 : 1);
    if (least > room) break;
    kept += 1;
  }
  const shown = pieces.slice(0, kept);
  const shares = shareOut(
    room - Math.max(0, kept - 1),
    shown.map((piece) => ({ least: piece.least, wanted: wantedLength(piece, room) })),
  );
  return {
    values: shown.map((piece, index) => piece.fit(shares[index] ?? piece.least)),
    omitted: pieces.length - kept,
  };
}
