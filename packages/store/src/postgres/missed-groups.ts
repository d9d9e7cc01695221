/** How far each writer's journal groups have been announced, compared with how far the database says they have come. */
export class MissedGroups {
  readonly #announced = new Map<string, number>();
  /** What the database said the last time. */
  #committed = new Map<string, number>();

  /** Takes the database's word as known: whoever calls this looks at everything anyway. */
  begin(committed: ReadonlyMap<string, number>): void {
    this.#announced.clear();
    for (const [writer, number] of committed) this.#announced.set(writer, number);
    this.#committed = new Map(committed);
  }

  announced(writer: string, number: number): void {
    if (number > (this.#announced.get(writer) ?? 0)) this.#announced.set(writer, number);
  }

  /**
   * Whether a group that the database knew at the previous comparison has not been announced since: a notification is only
   * on its way for so long. Each is reported once.
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
