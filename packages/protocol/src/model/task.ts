import { z } from 'zod';
import { jsonObjectSchema } from './json.ts';
import { messageSchema, partSchema } from './message.ts';

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

export const artifactSchema = z.object({
  artifactId: z.string().min(1),
  name: z.string().optional(),
  description: z.string().optional(),
  parts: z.array(partSchema).min(1),
  metadata: jsonObjectSchema.optional(),
  extensions: z.array(z.string()).optional(),
});
/** A result of a task. */
export type Artifact = z.infer<typeof artifactSchema>;

export const taskStatusSchema = z.object({
  state: taskStateSchema,
  message: messageSchema.optional(),
  timestamp: z.string().optional(),
});
/** The status of a task: its state, and the message that explains it. */
export type TaskStatus = z.infer<typeof taskStatusSchema>;

export const taskSchema = z.object({
  id: z.string().min(1),
  contextId: z.string().min(1),
  status: taskStatusSchema,
  artifacts: z.array(artifactSchema).optional(),
  history: z.array(messageSchema).optional(),
  metadata: jsonObjectSchema.optional(),
});
/** A task with its status, artifacts and history. */
export type Task = z.infer<typeof taskSchema>;

export const taskStatusUpdateEventSchema = z.object({
  taskId: z.string(),
  contextId: z.string(),
  status: taskStatusSchema,
  metadata: jsonObjectSchema.optional(),
});
/** A task has changed its status. */
export type TaskStatusUpdateEvent = z.infer<typeof taskStatusUpdateEventSchema>;

export const taskArtifactUpdateEventSchema = z.object({
  taskId: z.string(),
  contextId: z.string(),
  artifact: artifactSchema,
  append: z.boolean().optional(),
  lastChunk: z.boolean().optional(),
  metadata: jsonObjectSchema.optional(),
});
/** A task has created an artifact or extended one. */
export type TaskArtifactUpdateEvent = z.infer<typeof taskArtifactUpdateEventSchema>;

export const streamResponseSchema = z.union([
  z.object({ task: taskSchema }),
  z.object({ message: messageSchema }),
  z.object({ statusUpdate: taskStatusUpdateEventSchema }),
  z.object({ artifactUpdate: taskArtifactUpdateEventSchema }),
]);
/** The content of a stream frame, a journal entry or a push notification: exactly one of the four. */
export type StreamResponse = z.infer<typeof streamResponseSchema>;

export const sendMessageResponseSchema = z.union([
  z.object({ task: taskSchema }),
  z.object({ message: messageSchema }),
]);
/** The response of SendMessage: a task or a direct message. */
export type SendMessageResponse = z.infer<typeof sendMessageResponseSchema>;
