import { z } from 'zod';

export const taskStateSchema = z.enum([
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
]);
/** The state of a task. */
export type TaskState = z.infer<typeof taskStateSchema>;

const TERMINAL: ReadonlySet<TaskState> = new Set([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
]);
const INTERRUPTED: ReadonlySet<TaskState> = new Set([
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
]);

/**
 * Whether the task has ended: it never changes state again (J6).
 *
 * @example
 * ```ts
 * isTerminal('TASK_STATE_COMPLETED'); // true
 * ```
 */
export function isTerminal(state: TaskState): boolean {
  return TERMINAL.has(state);
}

/**
 * Whether the task waits for input or credentials: nothing runs until they arrive.
 *
 * @example
 * ```ts
 * isInterrupted('TASK_STATE_INPUT_REQUIRED'); // true
 * ```
 */
export function isInterrupted(state: TaskState): boolean {
  return INTERRUPTED.has(state);
}
