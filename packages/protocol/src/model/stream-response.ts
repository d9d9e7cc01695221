import { z } from 'zod';
import { artifactSchema } from './artifact.ts';
import { jsonObjectSchema } from './json.ts';
import { messageSchema } from './message.ts';
import { taskSchema, taskStatusSchema } from './task.ts';

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
