import type { JsonObject } from '@holdword/protocol';
import type { TaskForLLM } from './for-llm.ts';

/**
 * Replaces the status message of a task with its plain text, if it consists only of text. This is the form that
 * `A2ATools` returns by default; it is never longer than the task.
 *
 * @example
 * ```ts
 * function forModel(task: TaskForLLM): Record<string, unknown> {
 *   return withTextStatus(task);
 * }
 * ```
 */
export function withTextStatus(task: TaskForLLM): JsonObject {
  const { message } = task.status;
  if (message === null || '_omitted_parts' in message || message.parts.length !== 1) return { ...task };
  const [part] = message.parts;
  return part?.kind === 'text' ? { ...task, status: { ...task.status, message: part.text } } : { ...task };
}
