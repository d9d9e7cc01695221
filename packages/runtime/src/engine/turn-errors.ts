import { A2AError, isA2AError } from '@holdword/protocol';
import { TerminalError } from '../executors/executor-errors.ts';
import { TaskTooLarge } from './event-codec.ts';

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

export function generationMismatch(taskId: string, expected: number, current: number): A2AError {
  return new A2AError(
    'TASK_GENERATION_MISMATCH',
    `Task ${taskId} has generation ${current}, and the message was written for generation ${expected}. ` +
      'Get the task, and send the message again with its generation if it still applies.',
    {
      metadata: { taskId, expectedGeneration: String(expected), currentGeneration: String(current) },
    },
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

/** An agent wrote faster than the store, and did not wait. */
export class TooMuchUnwritten extends TerminalError {
  constructor(bytes: number) {
    super(
      `The agent wrote more than ${Math.round(bytes / 1024 / 1024)} MiB that could not be stored yet, without waiting. ` +
        'It should await each call of its sink.',
    );
  }
}

/** Another request used the same key first; its task is the response. */
export class IdempotencyKeyTaken extends Error {
  readonly taskId: string;
  readonly payloadHash: string;

  constructor(taskId: string, payloadHash: string) {
    super('The idempotency key is already in use.');
    this.taskId = taskId;
    this.payloadHash = payloadHash;
  }
}

/** A message that the task has no room for is rejected, and the task stays as it is. */
export function rejectingLarge<Result>(write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    if (error instanceof TaskTooLarge) throw fullTask(error.message);
    throw error;
  }
}
