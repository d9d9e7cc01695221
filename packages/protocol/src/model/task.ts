import { z } from 'zod';
import { artifactSchema } from './artifact.ts';
import { jsonObjectSchema } from './json.ts';
import { messageSchema } from './message.ts';
import { taskStateSchema } from './task-state.ts';

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
