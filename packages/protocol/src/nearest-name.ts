/** Fewer letters say too little. */
const SHORTEST_START = 4;

/** The valid name a person most likely meant: one with few typos, or one that starts with what was given. */
export function nearestName(given: string, valid: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(given.length / 3)) + 1;
  for (const name of valid) {
    const distance = editDistance(given.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best ?? startingWith(given, valid);
}

/** For `claude` instead of `claude-code`. */
function startingWith(given: string, valid: Iterable<string>): string | undefined {
  if (given.length < SHORTEST_START) return undefined;
  return [...valid].find((name) => name.toLowerCase().startsWith(given.toLowerCase()));
}

/** Letters to add, drop, replace or swap with their neighbour to get from one word to the other. */
export function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped) cost = Math.min(cost, at(beforePrevious, column - 2) + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, to.length);
}

function at(numbers: readonly number[], index: number): number {
  return numbers[index] ?? 0;
}
