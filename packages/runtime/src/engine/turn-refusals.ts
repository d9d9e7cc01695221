import { A2AError, isA2AError } from '@holdword/protocol';

const HELD_ELSEWHERE = 'held-elsewhere';

export function serverStopping(): A2AError {
  return new A2AError(
    'UNAVAILABLE',
    'The server is stopping and takes no more work. Try again in a few seconds.',
    {
      retryAfterSeconds: 5,
    },
  );
}

export function endedTask(task: { taskId: string; writtenState?: string | undefined }): A2AError {
  return new A2AError(
    'UNSUPPORTED_OPERATION',
    `Task ${task.taskId} has ended (${task.writtenState ?? 'final state'}) and takes no more messages. ` +
      'Send the message without taskId, with the same contextId, to begin a new task.',
  );
}

export function busyTask({ taskId }: { taskId: string }): A2AError {
  return new A2AError(
    'UNSUPPORTED_OPERATION',
    `A turn of task ${taskId}, or of another task of its context, has not ended yet, and a message that comes after it cannot ` +
      'be answered immediately. Send it without returnImmediately to wait, send it later, or cancel the task.',
  );
}

export function heldElsewhere(): A2AError {
  return new A2AError(
    'UNAVAILABLE',
    'Another process runs this task right now. Try again in a few seconds.',
    { retryAfterSeconds: 5, metadata: { reason: HELD_ELSEWHERE } },
  );
}

export function isHeldElsewhere(error: unknown): boolean {
  return isA2AError(error) && error.metadata?.['reason'] === HELD_ELSEWHERE;
}
