import { isDeepStrictEqual } from 'node:util';
import type { ListTasksResponse, SendMessageResponse, StreamResponse, Task } from '@holdword/protocol';
import { sendMessageResponseSchema, streamResponseSchema, taskSchema } from '@holdword/protocol/internal';
import { z } from 'zod';

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
export const decodeSendResponse = (value: unknown): SendMessageResponse =>
  decodeAnswer(sendMessageResponseSchema, value);
export const decodeStreamResponse = (value: unknown): StreamResponse =>
  decodeAnswer(streamResponseSchema, value);
export const decodeTaskList = (value: unknown): ListTasksResponse => decodeAnswer(listSchema, value);
