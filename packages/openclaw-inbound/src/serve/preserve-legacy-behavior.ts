import { isInterrupted, isTerminal, RESUME_EXTENSION, type Task } from '@holdword/protocol';
import { hasErrorCode } from '@holdword/protocol/internal';
import type { RequestContext, EventStream, Operations } from '@holdword/runtime';
import { frameOf } from '@holdword/runtime/internal';

/**
 * Keeps behavior that 0.3 clients rely on, where A2A 1.0 returns an error: canceling a task that has ended returns it
 * unchanged, and subscribing to a task that has ended or needs input returns it once and closes. A client that resumes with a
 * cursor and supports the extension gets the missed events instead.
 */
export function preserveLegacyBehavior(operations: Operations): Operations {
  return {
    ...operations,
    cancelTask: async (request, context) => {
      try {
        return await operations.cancelTask(request, context);
      } catch (error) {
        if (context.version !== '0.3' || !hasErrorCode(error, 'TASK_NOT_CANCELABLE')) throw error;
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
        // The task ended in the meantime.
        const ended = hasErrorCode(error, 'UNSUPPORTED_OPERATION')
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
  yield [frameOf({ task })];
}
