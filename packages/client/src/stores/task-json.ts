import type { Task } from '@holdword/protocol';
import { isObject, taskSchema, v03TaskToCore } from '@holdword/protocol/internal';
import type { AnyTask } from '../llm/any-artifact.ts';

/** A task in the words of A2A 1.0, whichever version it is written in. */
export function toCoreTask(task: AnyTask): Task {
  return 'kind' in task ? taskSchema.parse(v03TaskToCore(task)) : task;
}

/** Reads a kept task, also one that was written as A2A 0.3. Throws when it is none. */
export function parseTask(json: string, taskId: string): Task {
  const value = parseJson(json);
  const task = taskSchema.safeParse(
    isObject(value) && value['kind'] === 'task' ? v03TaskToCore(value) : value,
  );
  if (task.success) return task.data;
  throw new Error(
    `The saved task "${taskId}" cannot be read: expected the JSON of a task, found something else. ` +
      'Delete it from the store and ask its agent for it again.',
  );
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
