/** A target for a figure and whether it was met. A figure that was not measured misses its target. */
export interface Target {
  readonly name: string;
  readonly target: number;
  readonly measured: number | null;
  readonly met: boolean;
}

export function atLeast(name: string, target: number, measured: number | undefined): Target {
  const met = measured !== undefined && measured >= target;
  return { name: `${name}, at least`, target, measured: measured ?? null, met };
}

export function atMost(name: string, target: number, measured: number | undefined): Target {
  const met = measured !== undefined && measured <= target;
  return { name: `${name}, at most`, target, measured: measured ?? null, met };
}
