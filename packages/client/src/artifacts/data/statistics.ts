/** Minimum, maximum, average and standard deviation of a stream of numbers. */
export class Statistics {
  #count = 0;
  #minimum = Infinity;
  #maximum = -Infinity;
  #average = 0;
  /** Sum of squared deviations from the running average (Welford's algorithm), which is exact even for large numbers. */
  #spread = 0;

  add(value: number): void {
    this.#count += 1;
    if (value < this.#minimum) this.#minimum = value;
    if (value > this.#maximum) this.#maximum = value;
    const distance = value - this.#average;
    this.#average += distance / this.#count;
    this.#spread += distance * (value - this.#average);
  }

  /** The statistics with prefixed names. The sample standard deviation needs at least two values. */
  describe(prefix: string): Record<string, number> {
    if (this.#count === 0) return {};
    const described: [string, number][] = [
      [`${prefix}minimum`, this.#minimum],
      [`${prefix}maximum`, this.#maximum],
      [`${prefix}average`, round(this.#average)],
      [`${prefix}stdev`, this.#count > 1 ? round(Math.sqrt(this.#spread / (this.#count - 1))) : Number.NaN],
    ];
    return Object.fromEntries(described.filter(([, value]) => Number.isFinite(value)));
  }
}

function round(value: number): number {
  const rounded = Math.round(value * 100) / 100;
  return Number.isFinite(rounded) ? rounded : value;
}
