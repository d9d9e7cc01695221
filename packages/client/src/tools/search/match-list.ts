/** Counts all matches, but builds only those of one page. */
export class MatchList {
  readonly shown: Record<string, unknown>[] = [];
  readonly #skip: number;
  readonly #limit: number;
  #total = 0;

  constructor(page: { skip: number; limit: number }) {
    this.#skip = page.skip;
    this.#limit = page.limit;
  }

  get total(): number {
    return this.#total;
  }

  add(build: () => Record<string, unknown>): void {
    this.#total += 1;
    if (this.#total > this.#skip && this.shown.length < this.#limit) this.shown.push(build());
  }
}
