import { z } from 'zod';
import { RESUME_EXTENSION } from '../extensions.ts';
import { jsonObjectSchema } from './json.ts';
import { isBareText, messageSchema, partSchema, type Part } from './message.ts';

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

/** The artifacts of a task by ID, for `applyArtifactUpdate`. */
export function artifactsById({ artifacts = [] }: Task): Map<string, Artifact> {
  return new Map(artifacts.map((artifact) => [artifact.artifactId, artifact]));
}

/**
 * Applies an update to a task. It costs O(event): the artifact is found by its ID and extended in place, so nobody else may
 * hold a reference to its parts.
 */
export function applyArtifactUpdate(
  task: Task,
  byId: Map<string, Artifact>,
  { artifact, append }: TaskArtifactUpdateEvent,
): void {
  const known = byId.get(artifact.artifactId);
  if (known !== undefined && append === true) {
    appendParts(known.parts, artifact.parts);
    return;
  }
  const fresh = { ...artifact, parts: artifact.parts.slice() };
  byId.set(fresh.artifactId, fresh);
  const list = (task.artifacts ??= []);
  const index = known === undefined ? -1 : list.indexOf(known);
  if (index === -1) list.push(fresh);
  else list[index] = fresh;
}

/**
 * Appended text continues the last text, as streamed tokens do: readers of the task get one text, not its pieces. A part with
 * more fields than its text stays separate.
 */
function appendParts(parts: Part[], more: readonly Part[]): void {
  for (const part of more) {
    const last = parts.at(-1);
    // A new object: the previous one may have been handed out and must not change.
    if (last !== undefined && isBareText(last) && isBareText(part))
      parts[parts.length - 1] = { text: last.text + part.text };
    else parts.push(part);
  }
}

/** The task without the sequence number of its event, which does not apply to later versions of the task. */
export function withoutSequence(task: Task): Task {
  if (task.metadata?.[RESUME_EXTENSION] === undefined) return task;
  const { metadata, ...rest } = task;
  const { [RESUME_EXTENSION]: _sequence, ...others } = metadata ?? {};
  return Object.keys(others).length === 0 ? rest : { ...rest, metadata: others };
}
