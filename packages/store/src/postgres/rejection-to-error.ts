import { sequenceConflict, staleFence, taskExists, unknownTask } from '../rejections.ts';
import type { StoreError } from '../store-error.ts';
import type { WriteRejection, Write } from './write.ts';

/** Adds the message to a rejection by the database. */
export function rejectionToError(write: Write, rejection: WriteRejection): StoreError {
  const taskId = 'task_id' in write ? write.task_id : '';
  switch (rejection.refused) {
    case 'task-exists':
      return taskExists(taskId);
    case 'stale-fence':
      return staleFence(taskId, 'fence' in write ? write.fence : 0, rejection.expected);
    case 'sequence-conflict':
      return sequenceConflict(
        taskId,
        'first_sequence' in write ? write.first_sequence : 1,
        rejection.expected,
      );
    case 'unknown-task':
    default:
      return unknownTask(taskId);
  }
}
