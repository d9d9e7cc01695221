import {
  isA2AError,
  isInterrupted,
  isTerminal,
  RESUME_EXTENSION,
  type A2AErrorCode,
  type Task,
} from '@holdword/protocol';
import type { Call, EventStream, Operations } from '@holdword/runtime';

/**
 * The same operations with what clients of 0.3 were promised by version 1 of this plugin: the task itself where 1.0 has
 * an error. Canceling a task that has ended gives it back as it is; subscribing to one that has ended or waits for its
 * user gives it once and closes. One that comes back with a cursor and knows the extension gets what it missed instead.
 */
export function keepLegacyPromises(operations: Operations): Operations {
  return {
    ...operations,
    cancelTask: async (request, call) => {
      try {
        return await operations.cancelTask(request, call);
      } catch (error) {
        if (call.version !== '0.3' || !isRefusal(error, 'TASK_NOT_CANCELABLE')) throw error;
        return operations.getTask({ id: request.id }, call);
      }
    },
    subscribeToTask: async (request, call) => {
      const resumes = call.resumeAfter !== undefined && call.extensions.has(RESUME_EXTENSION);
      if (call.version !== '0.3' || resumes) return operations.subscribeToTask(request, call);
      const settled = await settledTask(operations, request.id, call);
      if (settled !== undefined) return onlyTask(settled);
      try {
        return await operations.subscribeToTask(request, call);
      } catch (error) {
        // It has ended since it was looked at.
        const ended = isRefusal(error, 'UNSUPPORTED_OPERATION')
          ? await settledTask(operations, request.id, call)
          : undefined;
        if (ended === undefined) throw error;
        return onlyTask(ended);
      }
    },
  };
}

async function settledTask(operations: Operations, id: string, call: Call): Promise<Task | undefined> {
  const task = await operations.getTask({ id }, call);
  const { state } = task.status;
  return isTerminal(state) || isInterrupted(state) ? task : undefined;
}

async function* onlyTask(task: Task): EventStream {
  yield [{ json: JSON.stringify({ task }) }];
}

function isRefusal(error: unknown, code: A2AErrorCode): boolean {
  return isA2AError(error) && error.code === code;
}
