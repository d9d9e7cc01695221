import type { Task } from '@holdword/protocol';
import type { Store } from '@holdword/store';
import { parseEvent } from './event-codec.ts';
import { TaskFold } from './task-fold.ts';

const PAGE = 512;

/**
 * Folds a task from its newest snapshot and the events after it: up to the last committed event, or at least up to the
 * event `enough`, which saves a read. Undefined if the task has no journal.
 */
export async function loadFold(
  store: Store,
  taskId: string,
  enough = Infinity,
): Promise<{ fold: TaskFold; sequence: number } | undefined> {
  const snapshot = await store.readSnapshot(taskId);
  let fold = snapshot === undefined ? undefined : TaskFold.fromSnapshot(snapshot.json);
  let sequence = snapshot?.sequence ?? 0;
  for (;;) {
    const events = await store.readEvents(taskId, sequence, PAGE);
    for (const committed of events) {
      const { event, internal } = parseEvent(committed);
      if (fold === undefined) fold = new TaskFold((event as { task: Task }).task, internal);
      else fold.apply(event, internal);
      sequence = committed.sequence;
    }
    if (events.length === 0 || sequence >= enough) return fold === undefined ? undefined : { fold, sequence };
  }
}
