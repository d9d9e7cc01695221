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
export type TaskStatusUpdateEvent = z.infer<typeof taskStatusUpdateEventSchema>;

export const taskArtifactUpdateEventSchema = z.object({
  taskId: z.string(),
  contextId: z.string(),
  artifact: artifactSchema,
  append: z.boolean().optional(),
  lastChunk: z.boolean().optional(),
  metadata: jsonObjectSchema.optional(),
});
export type TaskArtifactUpdateEvent = z.infer<typeof taskArtifactUpdateEventSchema>;

/** What one frame of a stream, one journal entry and one webhook carry: exactly one of the four. */
export const streamResponseSchema = z.union([
  z.object({ task: taskSchema }),
  z.object({ message: messageSchema }),
  z.object({ statusUpdate: taskStatusUpdateEventSchema }),
  z.object({ artifactUpdate: taskArtifactUpdateEventSchema }),
]);
export type StreamResponse = z.infer<typeof streamResponseSchema>;

/** The answer of a unary send. */
export const sendMessageResponseSchema = z.union([
  z.object({ task: taskSchema }),
  z.object({ message: messageSchema }),
]);
export type SendMessageResponse = z.infer<typeof sendMessageResponseSchema>;
