import { z } from 'zod';
import { jsonObjectSchema } from './json.ts';
import { listOf } from './list-of.ts';
import { partSchema } from './part.ts';
import { withoutEmpty } from './without-empty.ts';

export const roleSchema = z.enum(['ROLE_USER', 'ROLE_AGENT']);
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
