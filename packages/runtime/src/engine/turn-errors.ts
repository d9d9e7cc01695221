import { A2AError, isA2AError } from '@holdword/protocol';

const HELD_ELSEWHERE = 'held-elsewhere';

export function serverStopping(): A2AError {
  return new A2AError(
    'UNAVAILABLE',
    'The server is shutting down and accepts no more work. Retry in a few seconds.',
    {
      retryAfterSeconds: 5,
    },
  );
}

export function endedTask(task: { taskId: string; writtenState?: string | undefined }): A2AError {
  return new A2AError(
    'UNSUPPORTED_OPERATION',
    `Task ${task.taskId} has ended (${task.writtenState ?? 'final state'}) and accepts no more messages. ` +
      'Send the message without taskId and with the same contextId to start a new task.',
  );
}

export function fullTask(reason: string): A2AError {
  return new A2AError(
    'UNSUPPORTED_OPERATION',
    `${reason} Send the message without taskId and with the same contextId to start a new task.`,
  );
}

export function busyTask({ taskId }: { taskId: string }): A2AError {
  return new A2AError(
    'UNSUPPORTED_OPERATION',
    `A turn of task ${taskId}, or of another task in its context, is still running, so a message cannot ` +
      'be answered immediately. Omit returnImmediately to wait, retry later, or cancel the task.',
  );
}

export function heldElsewhere(): A2AError {
  return new A2AError('UNAVAILABLE', 'Another process is running this task. Retry in a few seconds.', {
    retryAfterSeconds: 5,
    metadata: { reason: HELD_ELSEWHERE },
  });
}

export function isHeldElsewhere(error: unknown): boolean {
  return isA2AError(error) && error.metadata?.['reason'] === HELD_ELSEWHERE;
}
