import { messageSchema, partSchema, streamResponseSchema } from '@holdword/protocol/internal';
import { z } from 'zod';
import { count, limit, taskRowSchema, time } from './tasks.ts';

const jsonObject = z.record(z.string(), z.unknown());

/** Where the push notifications of a task go, and how far they are. */
export const pushTargetSchema = z.strictObject({
  taskId: z.string(),
  configId: z.string(),
  url: z.string().describe('Without its query, which may contain secrets.'),
  state: z.enum(['active', 'failing', 'dead', 'finished']),
  delivered: z.int().describe('The sequence number of the last event that was delivered.'),
  attempts: z.int().describe('Failed attempts in a row.'),
  error: z.string().nullable(),
  nextAttemptAt: time.nullable(),
  deadSince: time.nullable(),
});
export type PushTarget = z.infer<typeof pushTargetSchema>;

/** What a task waits for. */
export const questionSchema = z.strictObject({
  wants: z.enum(['input', 'auth']),
  parts: z.array(partSchema),
  schema: jsonObject.nullable().describe('The JSON Schema of the answer, if the agent gave one.'),
  choices: z.array(z.strictObject({ value: z.string(), label: z.string() })).nullable(),
  url: z.string().nullable().describe('Where to sign in or to answer, of the schemes http and https.'),
  expiresAt: time.nullable(),
  metadata: jsonObject.nullable(),
});
export type Question = z.infer<typeof questionSchema>;

export const taskDetailSchema = taskRowSchema.extend({
  firstSequence: z.int().describe('The first event that is still in the journal.'),
  metadata: jsonObject.nullable(),
  question: questionSchema.nullable(),
  running: z
    .strictObject({ process: z.string(), alive: z.boolean(), here: z.boolean() })
    .nullable()
    .describe('The process that holds the task; null if none does.'),
  pushTargets: z.array(pushTargetSchema),
  handoffIds: z.array(z.string()),
  mayCancel: z.boolean(),
});
export type TaskDetail = z.infer<typeof taskDetailSchema>;

export const takeoverSchema = z.strictObject({
  process: z.string().describe('The name of the process that took over.'),
  how: z
    .enum(['resumed', 'started-again', 'interrupted'])
    .describe('The turn was resumed, had not begun and was started, or could not be resumed and was ended.'),
});

/** An event of the journal, and the message that came with it. */
export const journalEventSchema = z.strictObject({
  sequence: z.int(),
  event: streamResponseSchema,
  input: messageSchema.nullable().describe('The message that began a later turn of the task.'),
  takeover: takeoverSchema.nullable().describe('Set if a process took the task over with this event.'),
});
export type JournalEvent = z.infer<typeof journalEventSchema>;

export const listEventsSchema = z.strictObject({
  after: count.optional().describe('Only events with a higher sequence number, the lowest first.'),
  before: count.optional().describe('Without after: the events just before this sequence number.'),
  limit: limit.default(100),
});
export const eventPageSchema = z.strictObject({
  events: z.array(journalEventSchema).describe('By sequence number. Fewer than the limit if they are large.'),
  firstSequence: z.int().describe('Of the journal.'),
  lastSequence: z.int().describe('Of the journal.'),
});
export type EventPage = z.infer<typeof eventPageSchema>;

/** The events of `watchTask`, each with its sequence number as `id`: reconnect with `Last-Event-ID`. */
export const watchTaskSchema = z.strictObject({ after: count.default(0) });

export const conversationEntrySchema = z.strictObject({
  sequence: z.int(),
  at: time.nullable(),
  from: z.enum(['user', 'agent']),
  kind: z.enum(['message', 'question', 'artifact']),
  parts: z.array(partSchema).describe('Large parts are cut. Empty for an artifact.'),
  cut: z.boolean(),
  artifactId: z.string().nullable(),
  artifactName: z.string().nullable(),
  messageId: z.string().nullable(),
});
export const getConversationSchema = z.strictObject({
  after: count.optional().describe('Only what follows this sequence number, the oldest first.'),
  before: count.optional().describe('Without after: the newest before this sequence number.'),
  limit: limit.default(200),
});
export const conversationSchema = z.strictObject({
  entries: z.array(conversationEntrySchema),
  lastSequence: z.int().describe('The last event that was read: follow the conversation from here.'),
  nextAfter: z.int().nullable().describe('With after: where the rest begins; null if there is none.'),
  nextBefore: z
    .int()
    .nullable()
    .describe('Without after: where what was said earlier ends; null if this is all.'),
});
export type Conversation = z.infer<typeof conversationSchema>;

export const getArtifactSchema = z.strictObject({
  version: count.optional().describe('By default, the newest.'),
});
export const artifactSchema = z.strictObject({
  artifactId: z.string(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  metadata: jsonObject.nullable(),
  version: z.int(),
  versions: z.array(
    z.strictObject({
      version: z.int(),
      firstSequence: z.int(),
      lastSequence: z.int(),
      complete: z.boolean(),
    }),
  ),
  parts: z
    .array(
      z.strictObject({
        index: z.int(),
        mediaType: z.string().nullable(),
        filename: z.string().nullable(),
        size: z.int().describe('Bytes of the content.'),
        content: partSchema.nullable().describe('Null if it is too large: read its content as a file.'),
      }),
    )
    .describe('Text that was written in pieces is one part.'),
});
export type ArtifactDetail = z.infer<typeof artifactSchema>;

export const getArtifactContentSchema = z.strictObject({
  version: count.optional(),
  part: count.default(0),
  download: z
    .enum(['true', 'false'])
    .default('true')
    .describe('false: shown by the browser, for images, audio, video and PDF only.'),
});

export const forkTaskSchema = z.strictObject({
  sequence: z.int().min(1).describe('The last event that the new task takes over.'),
  parts: z.array(partSchema).min(1).optional().describe('The message that the new task goes on with.'),
});
export const forkedTaskSchema = z.strictObject({ task: taskRowSchema });

export const sendMessageSchema = z.strictObject({
  messageId: z.string().min(1).max(200).describe('Sent again with the same id, it creates no second task.'),
  parts: z.array(partSchema).min(1),
  taskId: z.string().optional().describe('Continues this task: the answer to its question.'),
  contextId: z.string().optional().describe('Begins a task in this context.'),
  again: z
    .string()
    .optional()
    .describe('The task whose message is sent again, edited: same owner and context.'),
  skill: z.string().optional(),
  metadata: jsonObject.optional(),
});
export type SendMessage = z.infer<typeof sendMessageSchema>;
export const sentMessageSchema = z.strictObject({
  task: taskRowSchema.nullable().describe('Null if the agent answered with a plain message.'),
  message: messageSchema.nullable(),
});
export type SentMessage = z.infer<typeof sentMessageSchema>;
