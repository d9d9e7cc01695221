/** As many writes are worth a sync of their own. */
const ENOUGH_WRITES = 10;
/** Groups at the writer thread at once; more would only wait there. */
const MAX_IN_FLIGHT = 3;
/** A disk that takes longer for a commit gets fewer and larger groups instead. */
const QUICK_MILLISECONDS = 2.5;
const WEIGHT_OF_NEWEST = 0.2;

/**
 * Decides whether a group leaves while another is under way. On a quick disk that keeps both threads busy, since callers
 * who wait for one commit come back all at once. On a slow one it would spend on many syncs what one could do.
 */
export class GroupPace {
  #commitMilliseconds = Number.POSITIVE_INFINITY;

  /** Takes in how long a commit took. */
  learn(milliseconds: number): void {
    const known = this.#commitMilliseconds;
    this.#commitMilliseconds =
      known === Number.POSITIVE_INFINITY ? milliseconds : known + (milliseconds - known) * WEIGHT_OF_NEWEST;
  }

  /** Whether so many writes should leave at once, not at the end of the tick or after the group under way. */
  mayLeave(waitingWrites: number, groupsInFlight: number): boolean {
    return (
      waitingWrites >= ENOUGH_WRITES &&
      groupsInFlight < MAX_IN_FLIGHT &&
      this.#commitMilliseconds <= QUICK_MILLISECONDS
    );
  }
}
