import type { Store } from '@holdword/store';
import { withoutTrouble, type PushTarget } from './push-target.ts';
import { TargetRecords } from './target-records.ts';

export interface ReplayChoice {
  /** Only targets of this task. By default, those of all tasks. */
  taskId?: string;
  configId?: string;
  /** Sends again from this sequence number on, even what was delivered. By default, only what was abandoned. */
  from?: number;
}

/** Retries abandoned targets. A running server notices within a second. Returns the targets that were changed. */
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
