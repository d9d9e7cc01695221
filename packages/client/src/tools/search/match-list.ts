/** Collects one page of matches and counts all of them. Only matches of the page are built. */
export class MatchList {
  readonly shown: Record<string, unknown>[] = [];
  readonly #skip: number;
  readonly #most: number;
  #total = 0;

  constructor(page: { skip: number; most: number }) {
    this.#skip = page.skip;
    this.#most = page.most;
  }

  get total(): number {
    return this.#total;
  }

  add(build: () => Record<string, unknown>): void {
    this.#total += 1;
    if (this.#total > this.#skip && this.shown.length < this.#most) this.shown.push(build());
  }
}
