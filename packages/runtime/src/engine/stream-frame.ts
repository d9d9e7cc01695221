import type { TaskState } from '@holdword/protocol';

/** One event on its way to a reader. */
export interface StreamFrame {
  /** A StreamResponse as JSON of A2A 1.0, ready to be written. */
  readonly json: string;
  /**
   * The SSE id and the cursor to come back with: of a committed event its number, of a snapshot the last number it
   * includes. Absent on plain messages.
   */
  readonly sequence?: number;
  /** The state it brings, where that is known without parsing. */
  readonly state?: TaskState;
}
