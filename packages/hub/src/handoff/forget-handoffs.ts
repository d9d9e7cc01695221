import type { Store } from '@holdword/store';
import { Handoffs } from './lease/handoffs.ts';

/** For the retention of a runtime: the hand-offs of a task, with what was noted there, go with the task. */
export function forgetHandoffs(store: Store): (taskId: string) => Promise<boolean> {
  const handoffs = new Handoffs(store, Date.now);
  return (taskId) => handoffs.forget(taskId);
}
