import type { Task } from '@holdword/protocol';
import { isObject, taskSchema, v03TaskToCore } from '@holdword/protocol/internal';
import type { AnyTask } from '../llm/any-artifact.ts';

/** Converts a task of A2A 0.3 or 1.0 to 1.0. */
export function toCoreTask(task: AnyTask): Task {
  return 'kind' in task ? taskSchema.parse(v03TaskToCore(task)) : task;
}

/** Parses a saved task of A2A 1.0 or 0.3. Throws if it is invalid. */
export function parseTask(json: string, taskId: string): Task {
  const value = parseJson(json);
  const task = taskSchema.safeParse(
    isObject(value) && value['kind'] === 'task' ? v03TaskToCore(value) : value,
  );
  if (task.success) return task.data;
  throw new Error(
    `The saved task "${taskId}" is not a valid task. Delete it from the store, then fetch it from its agent again.`,
  );
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
