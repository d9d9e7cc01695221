/** This many writes are worth a separate sync. */
const ENOUGH_WRITES = 10;
/** Groups sent to the writer thread at once; more would only queue there. */
const MAX_IN_FLIGHT = 3;
/** A disk that needs longer for a commit gets fewer, larger groups. */
const FAST_MILLISECONDS = 2.5;
const WEIGHT_OF_NEWEST = 0.2;

/**
 * Decides whether to send a group while another is in flight. On a fast disk this keeps both threads busy, because the
 * callers waiting for a commit all continue at once. On a slow disk it would spend several syncs where one is enough.
 */
export class GroupPace {
  #commitMilliseconds = Number.POSITIVE_INFINITY;

  /** Records how long a commit took. */
  learn(milliseconds: number): void {
    const known = this.#commitMilliseconds;
    this.#commitMilliseconds =
      known === Number.POSITIVE_INFINITY ? milliseconds : known + (milliseconds - known) * WEIGHT_OF_NEWEST;
  }

  /** Whether to send this many writes now instead of at the end of the tick or after the group in flight. */
  maySend(waitingWrites: number, groupsInFlight: number): boolean {
    return (
      waitingWrites >= ENOUGH_WRITES &&
      groupsInFlight < MAX_IN_FLIGHT &&
      this.#commitMilliseconds <= FAST_MILLISECONDS
    );
  }
}
