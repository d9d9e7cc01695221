/** Fewer letters say too little. */
const SHORTEST_START = 4;

/** The valid name a person most likely meant: one with few typos, or one that starts with what was given. */
export function nearestName(given: string, valid: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = mostTypos(given) + 1;
  for (const name of valid) {
    // Also keeps a long text, which anybody may have sent, from being compared.
    if (Math.abs(given.length - name.length) >= bestDistance) continue;
    const distance = editDistance(given.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best ?? startingWith(given, valid);
}

/** With more than these, a short word becomes any other. */
function mostTypos({ length }: string): number {
  return length < 5 ? 1 : length < 8 ? 2 : 3;
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
