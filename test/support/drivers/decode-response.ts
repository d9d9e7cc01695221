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

/** Accepts a response only if it conforms to A2A 1.0: no missing and no unknown fields. */
function decodeResponse<T>(schema: z.ZodType<T>, value: unknown): T {
  const decoded = schema.parse(value);
  if (JSON.stringify(value, withoutContent).includes('"generation":'))
    throw new Error(`The response has a generation, which A2A 1.0 does not have: ${JSON.stringify(value)}`);
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(decoded)), JSON.parse(JSON.stringify(value)))) {
    throw new Error(`The response has fields that are unknown in A2A 1.0: ${JSON.stringify(value)}`);
  }
  return decoded;
}

/** What agents write may have any names. */
function withoutContent(name: string, value: unknown): unknown {
  return name === 'metadata' || name === 'parts' ? undefined : value;
}

export const decodeTask = (value: unknown): Task => decodeResponse(taskSchema, value);
export const decodeSendResponse = (value: unknown): SendMessageResponse =>
  decodeResponse(sendMessageResponseSchema, value);
export const decodeStreamResponse = (value: unknown): StreamResponse =>
  decodeResponse(streamResponseSchema, value);
export const decodeTaskList = (value: unknown): ListTasksResponse => decodeResponse(listSchema, value);
