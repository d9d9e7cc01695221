import { sequenceConflict, staleFence, taskExists, unknownTask } from '../refusals.ts';
import type { StoreError } from '../store-error.ts';
import type { Refusal, Write } from './write.ts';

/** Says in words what the database refused. */
export function refusalToError(write: Write, refusal: Refusal): StoreError {
  const taskId = 'task_id' in write ? write.task_id : '';
  switch (refusal.refused) {
    case 'task-exists':
      return taskExists(taskId);
    case 'stale-fence':
      return staleFence(taskId, 'fence' in write ? write.fence : 0, refusal.expected);
    case 'sequence-conflict':
      return sequenceConflict(taskId, 'first_sequence' in write ? write.first_sequence : 1, refusal.expected);
    case 'unknown-task':
    default:
      return unknownTask(taskId);
  }
}
