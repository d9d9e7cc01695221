import type { SdkTaskStore, ServerCallContext } from '@holdword/protocol/internal/sdk';
import { loadSdk } from './load-sdk.ts';
import type { TaskStore } from './task-store.ts';

/**
 * Lets a session keep its tasks in a `TaskStore` that was written for the official SDK's server, as those of the context's
 * tenant and user.
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
