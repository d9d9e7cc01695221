/** The newest measured times, as many as are kept; older ones make room. Noting one costs the same however many came. */
export class RecentTimes {
  readonly #times: Float64Array;
  #recorded = 0;

  constructor(kept: number) {
    this.#times = new Float64Array(kept);
  }

  record(milliseconds: number): void {
    this.#times[this.#recorded % this.#times.length] = milliseconds;
    this.#recorded += 1;
  }

  get count(): number {
    return Math.min(this.#recorded, this.#times.length);
  }

  /** The times that the given shares of them do not exceed; null where there are none. */
  percentiles(shares: readonly number[]): (number | null)[] {
    const ascending = this.#times.slice(0, this.count).toSorted();
    return shares.map((share) => ascending[Math.max(0, Math.ceil(ascending.length * share) - 1)] ?? null);
  }
}
