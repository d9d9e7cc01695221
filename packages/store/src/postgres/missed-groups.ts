/** Compares the journal groups announced by each writer with those committed according to the database. */
export class MissedGroups {
  readonly #announced = new Map<string, number>();
  /** The committed groups at the last comparison. */
  #committed = new Map<string, number>();

  /** Counts everything committed so far as announced: the caller reads everything anyway. */
  begin(committed: ReadonlyMap<string, number>): void {
    this.#announced.clear();
    for (const [writer, number] of committed) this.#announced.set(writer, number);
    this.#committed = new Map(committed);
  }

  announced(writer: string, number: number): void {
    if (number > (this.#announced.get(writer) ?? 0)) this.#announced.set(writer, number);
  }

  /**
   * Whether a group that was already committed at the previous comparison has still not been announced: a notification does
   * not take that long. Each missed group is reported once.
   */
  compare(committed: ReadonlyMap<string, number>): boolean {
    let isMissing = false;
    for (const [writer, number] of this.#committed) {
      if ((this.#announced.get(writer) ?? 0) >= number) continue;
      isMissing = true;
      this.#announced.set(writer, number);
    }
    for (const writer of this.#announced.keys()) if (!committed.has(writer)) this.#announced.delete(writer);
    this.#committed = new Map(committed);
    return isMissing;
  }
}
