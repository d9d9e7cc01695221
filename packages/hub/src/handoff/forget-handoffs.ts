import type { Store } from '@holdword/store';
import { Handoffs } from './lease/handoffs.ts';

/**
 * Creates a retention hook that deletes the hand-offs of a task together with the task. The hook resolves to false, which
 * keeps the task, while a successor holds it or can still claim it.
 *
 * @example
 * ```ts
 * import { createResponder, forgetHandoffs } from '@holdword/hub';
 * import { openMemoryStore, startRuntime } from '@holdword/runtime';
 *
 * const store = openMemoryStore();
 * await startRuntime({
 *   store,
 *   executor: createResponder({ store }),
 *   retention: { maxAgeHours: 24, alsoForget: forgetHandoffs(store) },
 * });
 * ```
 */
export function forgetHandoffs(store: Store): (taskId: string) => Promise<boolean> {
  const handoffs = new Handoffs(store, Date.now);
  return (taskId) => handoffs.forget(taskId);
}
