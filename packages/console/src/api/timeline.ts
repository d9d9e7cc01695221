import { taskStateSchema } from '@holdword/protocol/internal';
import { z } from 'zod';
import { time } from './tasks.ts';

/**
 * What a timeline shows. Only events with a status have a time; what lies between two of them has their times as bounds:
 * `startedAt` is the last known time before or at its first event, `endedAt` the first known time at or after its last one, null
 * while nothing later is known.
 */
const span = {
  firstSequence: z.int(),
  lastSequence: z.int(),
  startedAt: time.nullable(),
  endedAt: time.nullable(),
};

const text = z.string().describe('Foreign text, shortened.');

export const timelineItemSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('turn'),
    ...span,
    number: z.int().describe('1 for the first turn.'),
    text: text.describe('The start of the message that began it.'),
    messageId: z.string(),
    outcome: taskStateSchema.nullable().describe('The state that ended it; null while it runs.'),
  }),
  z.strictObject({ kind: z.literal('state'), ...span, state: taskStateSchema, text: text.nullable() }),
  z
    .strictObject({ kind: z.literal('message'), ...span, text })
    .describe('The agent reports what it is doing.'),
  z.strictObject({
    kind: z.literal('tool'),
    ...span,
    name: z.string(),
    callId: z.string().nullable(),
    text: text.nullable(),
    outcome: z.enum(['running', 'done', 'failed']),
  }),
  z.strictObject({
    kind: z.literal('artifact'),
    ...span,
    artifactId: z.string(),
    name: z.string().nullable(),
    version: z.int().describe('1 for the first; a write that replaces the artifact begins the next.'),
    chunks: z.int(),
    characters: z.int().describe('The size of its parts as JSON.'),
    complete: z.boolean(),
    late: z.boolean().describe('Written after the task had ended.'),
  }),
  z.strictObject({
    kind: z.literal('question'),
    ...span,
    wants: z.enum(['input', 'auth']),
    text,
    answeredBy: z.int().nullable().describe('The sequence number of the answer.'),
  }),
  z.strictObject({
    kind: z.literal('restart'),
    ...span,
    process: z.string().nullable().describe('The process that took over.'),
    how: z.enum(['resumed', 'started-again', 'interrupted']),
    text: text.nullable(),
  }),
  z.strictObject({ kind: z.literal('gap'), ...span }).describe('Events that retention has removed.'),
]);
export type TimelineItem = z.infer<typeof timelineItemSchema>;

export const getTimelineSchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(10_000).default(2_000).describe('The most items.'),
});

export const timelineSchema = z.strictObject({
  items: z.array(timelineItemSchema).describe('The newest, in the order of their first event.'),
  omitted: z.int().describe('How many items come before these.'),
  lastSequence: z.int().describe('The last event that is included: follow the task from here.'),
  complete: z
    .boolean()
    .describe('False if the task is so long that it was not read to its end: request it again to continue.'),
});
export type Timeline = z.infer<typeof timelineSchema>;
