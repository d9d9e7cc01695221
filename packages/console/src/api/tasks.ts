import { taskStateSchema } from '@holdword/protocol/internal';
import { z } from 'zod';

/** Lists take this many entries of a page at most. */
export const MOST_ENTRIES = 500;

/** A number in a query. */
export const count = z.coerce.number().int().min(0);
export const limit = z.coerce.number().int().min(1).max(MOST_ENTRIES);
export const time = z.iso.datetime();
export const cursor = z.string().max(500).describe('nextCursor of the previous page, unchanged.');
export const nextCursor = z
  .string()
  .nullable()
  .describe('The cursor of the next page; null on the last one.');

/** A value of a query that may be given more than once. */
function several<Value extends z.ZodType>(value: Value) {
  return z.preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(value).max(20));
}

export const ownerSchema = z.strictObject({
  caller: z.string().describe('Such as key:laptop, jwt:SUBJECT or anonymous.'),
  tenant: z.string().nullable(),
  key: z.string().describe('Identifies the owner in filters.'),
});

/** A task in a list. */
export const taskRowSchema = z.strictObject({
  id: z.string(),
  contextId: z.string(),
  state: taskStateSchema,
  owner: ownerSchema,
  agent: z.string().nullable().describe('The agent of the hub that the task belongs to.'),
  createdAt: time,
  statusAt: time.describe('When its status last changed.'),
  statusText: z.string().nullable().describe('The start of the message of its status. Foreign text.'),
  lastSequence: z.int(),
});
export type TaskRow = z.infer<typeof taskRowSchema>;

export const taskFilterSchema = z.strictObject({
  state: several(taskStateSchema).optional().describe('Several are allowed.'),
  agent: z.string().max(200).optional().describe('An agent of the hub.'),
  owner: z.string().max(1_000).optional().describe('owner.key of a row. Only operators see others.'),
  context: z.string().max(1_000).optional(),
  from: time.optional().describe('Only tasks that were created then or later.'),
  to: time.optional().describe('Only tasks that were created then or earlier.'),
  text: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only tasks whose id, metadata or metadata of the first message contain it, in any case.'),
});
export type TaskFilter = z.infer<typeof taskFilterSchema>;

export const listTasksSchema = taskFilterSchema.extend({
  cursor: cursor.optional(),
  limit: limit.default(50),
});

export const taskPageSchema = z.strictObject({
  tasks: z.array(taskRowSchema),
  sortedBy: z
    .enum(['createdAt', 'statusAt'])
    .describe('The newest first: by creation, or by status if only the tasks of one owner are listed.'),
  nextCursor: nextCursor.describe(
    'A page may be short or empty and still have one: a search reads a bounded number of tasks for each page.',
  ),
  total: z
    .int()
    .nullable()
    .describe('How many tasks match; null if counting them would cost more than the page.'),
  searchedUntil: time.nullable().describe('With a text: the creation of the last task that was looked at.'),
});
export type TaskPage = z.infer<typeof taskPageSchema>;

/**
 * The events of `watchTasks`. `task`: a task that matches the filter is new or has changed; `gone`: a task no longer matches or was
 * deleted; `reload`: more changed than was sent, so read the list again.
 */
export const taskChangeSchema = z.union([
  z.strictObject({ type: z.literal('task'), task: taskRowSchema }),
  z.strictObject({ type: z.literal('gone'), id: z.string() }),
  z.strictObject({ type: z.literal('reload') }),
]);
export type TaskChange = z.infer<typeof taskChangeSchema>;

export const cancelTasksSchema = z.strictObject({ ids: z.array(z.string().min(1)).min(1).max(MOST_ENTRIES) });
export const canceledTasksSchema = z.strictObject({
  results: z.array(
    z.strictObject({
      id: z.string(),
      outcome: z.enum(['canceled', 'already-ended', 'not-found', 'failed']),
      message: z.string().nullable(),
    }),
  ),
});
export type CanceledTasks = z.infer<typeof canceledTasksSchema>;
