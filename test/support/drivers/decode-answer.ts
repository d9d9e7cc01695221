import { isDeepStrictEqual } from 'node:util';
import {
  messageSchema,
  taskSchema,
  type ListTasksResponse,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
} from '@parley/protocol';
import { z } from 'zod';

const statusUpdateSchema = z.object({
  taskId: z.string(),
  contextId: z.string(),
  status: taskSchema.shape.status,
  metadata: z.record(z.string(), z.unknown()).optional(),
});
const artifactUpdateSchema = z.object({
  taskId: z.string(),
  contextId: z.string(),
  artifact: taskSchema.shape.artifacts.unwrap().element,
  append: z.boolean().optional(),
  lastChunk: z.boolean().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
const sendSchema = z.union([
  z.strictObject({ task: taskSchema }),
  z.strictObject({ message: messageSchema }),
]);
const streamSchema = z.union([
  z.strictObject({ task: taskSchema }),
  z.strictObject({ message: messageSchema }),
  z.strictObject({ statusUpdate: statusUpdateSchema }),
  z.strictObject({ artifactUpdate: artifactUpdateSchema }),
]);
const listSchema = z.object({
  tasks: z.array(taskSchema),
  nextPageToken: z.string(),
  pageSize: z.int32(),
  totalSize: z.int32(),
});

/** Accepts an answer only if it is what A2A 1.0 describes: no field missing, none unknown. */
function decodeAnswer<T>(schema: z.ZodType<T>, value: unknown): T {
  const decoded = schema.parse(value);
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(decoded)), JSON.parse(JSON.stringify(value)))) {
    throw new Error(`The answer has fields that A2A 1.0 does not know: ${JSON.stringify(value)}`);
  }
  return decoded;
}

export const decodeTask = (value: unknown): Task => decodeAnswer(taskSchema, value);
export const decodeSendResponse = (value: unknown): SendMessageResponse => decodeAnswer(sendSchema, value);
export const decodeStreamResponse = (value: unknown): StreamResponse => decodeAnswer(streamSchema, value);
export const decodeTaskList = (value: unknown): ListTasksResponse => decodeAnswer(listSchema, value);
