import type { TaskState } from '@holdword/protocol';

/** One event on its way to a reader. */
export interface StreamFrame {
  /** A StreamResponse as A2A 1.0 JSON, ready to be written. */
  readonly json: string;
  /**
   * The SSE event ID and the cursor to resume from: the number of a committed event, or the last number that a snapshot
   * includes. Absent on plain messages.
   */
  readonly sequence?: number;
  /** The state of the event, if that is known without parsing. */
  readonly state?: TaskState;
}
