import { A2AError } from '@holdword/protocol';
import type { TaskHeader } from '@holdword/store';
import type { Engine } from '../engine/engine.ts';
import { ownerKey } from '../owner.ts';
import type { RequestContext } from './request-context.ts';

/**
 * The task's header, if it belongs to the caller. Another owner's task is reported like one that does not exist (J9).
 */
export async function visibleTask(
  engine: Engine,
  taskId: string,
  context: RequestContext,
): Promise<TaskHeader> {
  const header = await engine.reader.header(ownerKey(context.owner), taskId);
  if (header === undefined) throw taskNotFound(taskId);
  return header;
}

export function taskNotFound(taskId: string): A2AError {
  return new A2AError(
    'TASK_NOT_FOUND',
    `Task ${taskId} not found for this caller. Check the id, or send a message without taskId to start a new task.`,
  );
}
