import type { NewTask, Snapshot } from '../port.ts';

/** A task of another program, in the words of this one. */
export interface AdoptedTask {
  /** With its whole journal, and held by nobody. */
  task: NewTask;
  /** The task after its last event. */
  snapshot: Snapshot;
}

/** Looks for a task that this store does not know. Rejects with a StoreError: `corrupt`, `unavailable`. */
export type Adopt = (taskId: string) => Promise<AdoptedTask | undefined>;
