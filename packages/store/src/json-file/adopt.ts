import type { NewTask, Snapshot } from '../port.ts';

/** A task of another program, converted to this store's format. */
export interface AdoptedTask {
  /** With its whole journal and without a holder. */
  task: NewTask;
  /** The task after its last event. */
  snapshot: Snapshot;
}

/**
 * Looks up a task that this store does not have.
 *
 * @throws StoreError `corrupt`, `unavailable`
 */
export type Adopt = (taskId: string) => Promise<AdoptedTask | undefined>;
