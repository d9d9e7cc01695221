import {
  isA2AError,
  isInterrupted,
  isTerminal,
  RESUME_EXTENSION,
  type A2AErrorCode,
  type Task,
} from '@holdword/protocol';
import type { RequestContext, EventStream, Operations } from '@holdword/runtime';

/**
 * The same operations with what clients of 0.3 were promised by version 1 of this plugin: the task itself where 1.0 has
 * an error. Canceling a task that has ended gives it back as it is; subscribing to one that has ended or waits for its
 * user gives it once and closes. One that comes back with a cursor and knows the extension gets what it missed instead.
 */
export function keepLegacyPromises(operations: Operations): Operations {
  return {
    ...operations,
    cancelTask: async (request, context) => {
      try {
        return await operations.cancelTask(request, context);
      } catch (error) {
        if (context.version !== '0.3' || !isRefusal(error, 'TASK_NOT_CANCELABLE')) throw error;
        return operations.getTask({ id: request.id }, context);
      }
    },
    subscribeToTask: async (request, context) => {
      const resumes = context.resumeAfter !== undefined && context.extensions.has(RESUME_EXTENSION);
      if (context.version !== '0.3' || resumes) return operations.subscribeToTask(request, context);
      const settled = await settledTask(operations, request.id, context);
      if (settled !== undefined) return onlyTask(settled);
      try {
        return await operations.subscribeToTask(request, context);
      } catch (error) {
        // It has ended since it was looked at.
        const ended = isRefusal(error, 'UNSUPPORTED_OPERATION')
          ? await settledTask(operations, request.id, context)
          : undefined;
        if (ended === undefined) throw error;
        return onlyTask(ended);
      }
    },
  };
}

async function settledTask(
  operations: Operations,
  id: string,
  context: RequestContext,
): Promise<Task | undefined> {
  const task = await operations.getTask({ id }, context);
  const { state } = task.status;
  return isTerminal(state) || isInterrupted(state) ? task : undefined;
}

async function* onlyTask(task: Task): EventStream {
  yield [{ json: JSON.stringify({ task }) }];
}

function isRefusal(error: unknown, code: A2AErrorCode): boolean {
  return isA2AError(error) && error.code === code;
}
