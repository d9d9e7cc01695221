import type { CancelTaskRequest, Task } from '@holdword/protocol';
import type { Engine } from '../engine/engine.ts';
import type { RequestContext } from './request-context.ts';
import { visibleTask } from './visible-task.ts';

export async function cancelTask(
  engine: Engine,
  request: CancelTaskRequest,
  context: RequestContext,
): Promise<Task> {
  return engine.cancel(await visibleTask(engine, request.id, context));
}
