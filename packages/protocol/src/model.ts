import { z } from 'zod';
import { RESUME_EXTENSION } from './extensions.ts';
import { jsonObjectSchema, listOf, withoutEmpty } from './basics/json.ts';

/** The fields of a part of which exactly one is set. */
export const PART_CONTENT_FIELDS = ['text', 'raw', 'url', 'data'] as const;

function hasOneContent(part: Partial<Record<(typeof PART_CONTENT_FIELDS)[number], unknown>>): boolean {
  let contents = 0;
  for (const field of PART_CONTENT_FIELDS) {
    if (part[field] !== undefined) contents += 1;
  }
  return contents === 1;
}

/** What a part violates that has no content, or more than one. */
export const ONE_CONTENT = 'expected exactly one of text, raw, url and data';

export const partSchema = z
  .object({
    text: z.string().optional(),
    raw: z.string().refine(isBase64, { message: 'expected base64' }).overwrite(toStandardBase64).optional(),
    url: z.string().min(1).optional(),
    data: z.unknown().optional(),
    metadata: jsonObjectSchema.optional(),
    filename: z.string().optional(),
    mediaType: z.string().optional(),
  })
  .refine(hasOneContent, { message: ONE_CONTENT });
/** One piece of content: exactly one of `text`, `raw` (base64), `url` and `data`. */
export type Part = z.infer<typeof partSchema>;

/**
 * The text of all text parts, joined by line breaks.
 *
 * @example
 * ```ts
 * textOfParts([{ text: 'Hello,' }, { url: 'https://example.com/image.png' }, { text: 'world' }]);
 * // 'Hello,\nworld'
 * ```
 */
export function textOfParts(parts: readonly Part[]): string {
  let text: string | undefined;
  for (const part of parts) {
    if (part.text !== undefined) text = text === undefined ? part.text : `${text}\n${part.text}`;
  }
  return text ?? '';
}

/** Whether a part has a text and no other field, as most parts do. Cheaper than a schema. */
export function isBareText(part: unknown): part is { text: string } {
  return (
    typeof part === 'object' &&
    part !== null &&
    'text' in part &&
    typeof part.text === 'string' &&
    Object.keys(part).length === 1
  );
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/** Accepts what ProtoJSON accepts: the standard or the URL-safe alphabet, padded or not. */
export function isBase64(value: string): boolean {
  if (!BASE64.test(value)) return false;
  return value.endsWith('=') ? value.length % 4 === 0 : value.length % 4 !== 1;
}

/** The form that ProtoJSON writes: the standard alphabet with padding. */
export function toStandardBase64(value: string): string {
  const standard = value.replaceAll('-', '+').replaceAll('_', '/');
  return standard.padEnd(Math.ceil(standard.length / 4) * 4, '=');
}

const roleSchema = z.enum(['ROLE_USER', 'ROLE_AGENT']);
/** Who wrote a message. */
export type Role = z.infer<typeof roleSchema>;

export const messageSchema = z
  .object({
    messageId: z.string().min(1),
    contextId: z.string().optional(),
    taskId: z.string().optional(),
    role: roleSchema,
    parts: listOf(partSchema, { atLeast: 1 }),
    metadata: jsonObjectSchema.optional(),
    extensions: listOf(z.string()).optional(),
    referenceTaskIds: listOf(z.string()).optional(),
  })
  .overwrite(withoutEmpty('contextId', 'taskId'));
/** A message from a user or an agent. */
export type Message = z.infer<typeof messageSchema>;

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

const artifactSchema = z.object({
  artifactId: z.string().min(1),
  name: z.string().optional(),
  description: z.string().optional(),
  parts: z.array(partSchema).min(1),
  metadata: jsonObjectSchema.optional(),
  extensions: z.array(z.string()).optional(),
});
/** A result of a task. */
export type Artifact = z.infer<typeof artifactSchema>;

const taskStatusSchema = z.object({
  state: taskStateSchema,
  message: messageSchema.optional(),
  timestamp: z.string().optional(),
});
/** The status of a task: its state, and the message that explains it. */
export type TaskStatus = z.infer<typeof taskStatusSchema>;

/** A2A 1.1: 1 for a new task, one more with each change. An int64, which ProtoJSON writes as a string. */
const generation = z.string().optional();

export const taskSchema = z.object({
  id: z.string().min(1),
  contextId: z.string().min(1),
  status: taskStatusSchema,
  artifacts: z.array(artifactSchema).optional(),
  history: z.array(messageSchema).optional(),
  metadata: jsonObjectSchema.optional(),
  generation,
});
/** A task with its status, artifacts and history. */
export type Task = z.infer<typeof taskSchema>;

const taskStatusUpdateEventSchema = z.object({
  taskId: z.string(),
  contextId: z.string(),
  status: taskStatusSchema,
  metadata: jsonObjectSchema.optional(),
  generation,
});
/** A task has changed its status. */
export type TaskStatusUpdateEvent = z.infer<typeof taskStatusUpdateEventSchema>;

const taskArtifactUpdateEventSchema = z.object({
  taskId: z.string(),
  contextId: z.string(),
  artifact: artifactSchema,
  append: z.boolean().optional(),
  lastChunk: z.boolean().optional(),
  metadata: jsonObjectSchema.optional(),
  generation,
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
  task: Pick<Task, 'artifacts'>,
  byId: Map<string, Artifact>,
  { artifact, append }: Partial<TaskArtifactUpdateEvent> & Pick<TaskArtifactUpdateEvent, 'artifact'>,
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

/** The task without the sequence number and the generation of its event, which do not apply to later versions of the task. */
export function withoutSequence(task: Task): Task {
  if (task.metadata?.[RESUME_EXTENSION] === undefined && task.generation === undefined) return task;
  const { metadata, generation: _generation, ...rest } = task;
  const { [RESUME_EXTENSION]: _sequence, ...others } = metadata ?? {};
  return Object.keys(others).length === 0 ? rest : { ...rest, metadata: others };
}
