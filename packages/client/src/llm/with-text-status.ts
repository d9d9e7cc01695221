import type { JsonObject } from '@holdword/protocol';
import type { TaskForLLM } from './for-llm.ts';

/**
 * The task with the message of its status as a plain text, where it is nothing but text: the short form that tools give.
 * It is never longer than the task.
 */
export function withTextStatus(task: TaskForLLM): JsonObject {
  const { message } = task.status;
  if (message === null || '_omitted_parts' in message || message.parts.length !== 1) return { ...task };
  const [part] = message.parts;
  return part?.kind === 'text' ? { ...task, status: { ...task.status, message: part.text } } : { ...task };
}
