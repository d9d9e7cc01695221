import type { CancelTaskRequest, Task } from '@holdword/protocol';
import type { Engine } from '../engine/engine.ts';
import type { Call } from './call.ts';
import { visibleTask } from './visible-task.ts';

export async function cancelTask(engine: Engine, request: CancelTaskRequest, call: Call): Promise<Task> {
  return engine.cancel(await visibleTask(engine, request.id, call));
}
