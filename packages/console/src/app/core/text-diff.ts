// Line by line, what has changed between two versions of a text.

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** More differences than these are not worth the search: the old lines are shown as removed, the new as added. */
const MOST_EDITS = 500;

export function diffLines(before: string, after: string): DiffLine[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let [oldEnd, freshEnd] = [old.length, fresh.length];
  while (oldEnd > start && freshEnd > start && old[oldEnd - 1] === fresh[freshEnd - 1])
    [oldEnd, freshEnd] = [oldEnd - 1, freshEnd - 1];
  return [
    ...lines('same', old.slice(0, start)),
    ...shortestEdit(old.slice(start, oldEnd), fresh.slice(start, freshEnd)),
    ...lines('same', old.slice(oldEnd)),
  ];
}

function lines(kind: DiffLine['kind'], texts: readonly string[]): DiffLine[] {
  return texts.map((text) => ({ kind, text }));
}

/** Myers' algorithm: for each number of edits, how far each diagonal reaches. */
function shortestEdit(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  const most = Math.min(old.length + fresh.length, MOST_EDITS);
  const reached = new Map<number, number>([[1, 0]]);
  const history: Map<number, number>[] = [];
  for (let edits = 0; edits <= most; edits += 1) {
    history.push(new Map(reached));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepOf(reached, diagonal, edits);
      while (x < old.length && x - diagonal < fresh.length && old[x] === fresh[x - diagonal]) x += 1;
      reached.set(diagonal, x);
      if (x >= old.length && x - diagonal >= fresh.length) return walkBack(history, old, fresh);
    }
  }
  return [...lines('removed', old), ...lines('added', fresh)];
}

function goesDown(reached: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  if (diagonal === -edits) return true;
  if (diagonal === edits) return false;
  return (reached.get(diagonal - 1) ?? -1) < (reached.get(diagonal + 1) ?? -1);
}

function stepOf(reached: ReadonlyMap<number, number>, diagonal: number, edits: number): number {
  return goesDown(reached, diagonal, edits)
    ? (reached.get(diagonal + 1) ?? 0)
    : (reached.get(diagonal - 1) ?? 0) + 1;
}

function walkBack(
  history: readonly ReadonlyMap<number, number>[],
  old: readonly string[],
  fresh: readonly string[],
): DiffLine[] {
  const found: DiffLine[] = [];
  let [x, y] = [old.length, fresh.length];
  for (let edits = history.length - 1; edits >= 0; edits -= 1) {
    const reached = history[edits] ?? new Map<number, number>();
    const diagonal = x - y;
    const down = goesDown(reached, diagonal, edits);
    // Where the run of common lines began, just after the edit.
    const start = edits === 0 ? 0 : stepOf(reached, diagonal, edits);
    while (x > start) {
      [x, y] = [x - 1, y - 1];
      found.push({ kind: 'same', text: old[x] ?? '' });
    }
    if (edits === 0) break;
    if (down) {
      y -= 1;
      found.push({ kind: 'added', text: fresh[y] ?? '' });
    } else {
      x -= 1;
      found.push({ kind: 'removed', text: old[x] ?? '' });
    }
  }
  return found.toReversed();
}
