import type { JsonObject } from '@holdword/protocol';
import { HubError } from '../errors/hub-error.ts';
import { firstText } from '../read-fields.ts';

const TASK_FIELDS = ['task_id', 'taskId'];

export function taskIdOf(params: JsonObject): string {
  const taskId = firstText(params, TASK_FIELDS);
  if (taskId !== undefined) return taskId;
  throw new HubError('DELX-A2A-1010', 'Expected a taskId, found none.', {
    hint: 'Send the id of an earlier answer as task_id.',
    details: { field: 'task_id' },
  });
}

/** A2A calls it `id`; the hub does not. */
export function isStandardTaskCall(params: JsonObject): boolean {
  return typeof params['id'] === 'string' && firstText(params, TASK_FIELDS) === undefined;
}
