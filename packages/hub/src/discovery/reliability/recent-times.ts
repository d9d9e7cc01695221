/** A ring buffer of the newest durations. Recording one takes constant time. */
export class RecentTimes {
  readonly #times: Float64Array;
  #recorded = 0;

  constructor(capacity: number) {
    this.#times = new Float64Array(capacity);
  }

  record(milliseconds: number): void {
    this.#times[this.#recorded % this.#times.length] = milliseconds;
    this.#recorded += 1;
  }

  get count(): number {
    return Math.min(this.#recorded, this.#times.length);
  }

  /** The percentiles for shares between 0 and 1; null without any durations. */
  percentiles(shares: readonly number[]): (number | null)[] {
    const ascending = this.#times.slice(0, this.count).toSorted();
    return shares.map((share) => ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? null);
  }
}
