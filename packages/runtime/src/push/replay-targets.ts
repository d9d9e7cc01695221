import type { Store } from '@holdword/store';
import { withoutTrouble, type PushTarget } from './push-target.ts';
import { TargetRecords } from './target-records.ts';

export interface ReplayChoice {
  /** Targets of this task; those of all tasks without it. */
  taskId?: string;
  configId?: string;
  /** Sends again from this sequence number on, also what has arrived; without it only what was given up. */
  from?: number;
}

/** Takes up targets again, also while a server runs: it notices within a second. Gives those that were changed. */
export async function replayTargets(store: Store, choice: ReplayChoice): Promise<PushTarget[]> {
  const records = new TargetRecords(store);
  const replayed: PushTarget[] = [];
  for (const stored of await records.list(choice.taskId)) {
    const { target } = stored;
    if (choice.configId !== undefined && choice.configId !== target.configId) continue;
    if (choice.from === undefined && target.deadSince === undefined) continue;
    const delivered = Math.min(target.delivered, (choice.from ?? Infinity) - 1);
    const revived = { ...withoutTrouble(target), delivered };
    if ((await records.replace(stored, revived)) !== undefined) replayed.push(revived);
  }
  if (replayed.length > 0) await records.announceChange();
  return replayed;
}
