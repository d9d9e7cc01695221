import type { GetTaskRequest, Task } from '@holdword/protocol';
import type { Engine } from '../engine/engine.ts';
import type { RequestContext } from './request-context.ts';
import { taskNotFound, visibleTask } from './visible-task.ts';

/** The task with its artifacts and history: all of it, or the newest `historyLength` messages. */
export async function getTask(
  engine: Engine,
  request: GetTaskRequest,
  context: RequestContext,
): Promise<Task> {
  const header = await visibleTask(engine, request.id, context);
  const current = await engine.reader.current(header.taskId, request.historyLength, header.lastSequence);
  if (current === undefined) throw taskNotFound(request.id);
  return current.task;
}
