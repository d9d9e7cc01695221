import type { JsonObject } from '@holdword/protocol';
import { HubError } from '../wire/hub-error.ts';
import { firstText } from '../wire/read-fields.ts';

const TASK_FIELDS = ['task_id', 'taskId'];

export function taskIdOf(params: JsonObject): string {
  const taskId = firstText(params, TASK_FIELDS);
  if (taskId !== undefined) return taskId;
  throw new HubError('DELX-A2A-1010', 'task_id is missing.', {
    hint: 'Send the id from an earlier answer as task_id.',
    details: { field: 'task_id' },
  });
}

/** Whether the request is plain A2A, where the task id is called `id`. */
export function isStandardTaskCall(params: JsonObject): boolean {
  return typeof params['id'] === 'string' && firstText(params, TASK_FIELDS) === undefined;
}
