import type { SdkTaskStore, ServerCallContext } from '@holdword/protocol/internal/sdk';
import { loadSdk } from './load-sdk.ts';
import type { TaskStore } from './task-store.ts';

/**
 * Adapts a `TaskStore` of the official SDK's server to a session's task store.
 *
 * @param context The tenant and user that own the tasks. Without it, they belong to no tenant or user.
 * @example
 * ```ts
 * const taskStore = fromSdkTaskStore(new InMemoryTaskStore());
 * const session = new A2ASession(new A2AAgents(), { taskStore });
 * ```
 */
export function fromSdkTaskStore(store: SdkTaskStore, context?: ServerCallContext): TaskStore {
  return {
    async save(task) {
      const sdk = await loadSdk();
      await store.save(sdk.toSdkTask(task), context ?? new sdk.ServerCallContext());
    },
    async load(taskId) {
      const sdk = await loadSdk();
      const task = await store.load(taskId, context ?? new sdk.ServerCallContext());
      return task && sdk.fromSdkTask(task);
    },
  };
}
