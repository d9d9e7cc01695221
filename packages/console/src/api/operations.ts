import { z } from 'zod';
import { pushTargetSchema } from './task.ts';
import { cursor, limit, nextCursor, time } from './tasks.ts';

export const getSeriesSchema = z.strictObject({ window: z.enum(['hour', 'day']).default('hour') });

/** What happened in one step of a series. Null where nothing was measured. */
export const seriesPointSchema = z.strictObject({
  at: time.describe('The end of the step.'),
  requests: z.int(),
  errors: z.int().describe('Requests that were answered with an error.'),
  requestMilliseconds: z.strictObject({ median: z.number(), p95: z.number() }).nullable(),
  turns: z.int().describe('Turns that ended.'),
  failedTurns: z.int(),
  turnMilliseconds: z.strictObject({ median: z.number(), p95: z.number() }).nullable(),
  runningTurns: z.int().describe('At the end of the step, like those below.'),
  waitingTurns: z.int(),
  openStreams: z.int().nullable(),
  events: z.int().describe('Events that were committed.'),
  commitMilliseconds: z.strictObject({ median: z.number(), p95: z.number() }).nullable(),
  pushDelivered: z.int(),
  pushFailed: z.int().describe('Attempts that failed.'),
  pushWaiting: z.int(),
  pushLagSeconds: z.number().describe('How long the target that has failed the longest has been failing.'),
  storeBytes: z.int().nullable(),
  memoryBytes: z.int(),
});
export const seriesSchema = z.strictObject({
  stepSeconds: z.int(),
  points: z.array(seriesPointSchema).describe('Oldest first. Kept in memory since this process started.'),
});
export type Series = z.infer<typeof seriesSchema>;

export const replicasSchema = z.strictObject({
  replicas: z.array(
    z.strictObject({
      process: z.string(),
      here: z.boolean().describe('The one that answers.'),
      alive: z.boolean(),
      aliveUntil: time.describe('Others take its tasks over then, unless it gives a sign of life.'),
    }),
  ),
});

export const listPushTargetsSchema = z.strictObject({
  state: z.enum(['active', 'failing', 'dead', 'finished']).optional(),
  cursor: cursor.optional(),
  limit: limit.default(100),
});
export const pushTargetPageSchema = z.strictObject({ targets: z.array(pushTargetSchema), nextCursor });

export const replayPushSchema = z.strictObject({
  taskId: z.string().optional().describe('By default, the abandoned targets of all tasks.'),
  configId: z.string().optional(),
  from: z
    .int()
    .min(1)
    .optional()
    .describe('Sends again from this sequence number on, even what was delivered.'),
});
export const replayedPushSchema = z.strictObject({ replayed: z.int() });

export const keyListSchema = z.strictObject({
  keys: z.array(
    z.strictObject({
      name: z.string(),
      id: z.string(),
      role: z.enum(['caller', 'operator']),
      createdAt: time,
      expiresAt: time.nullable(),
      previousValidUntil: time.nullable(),
      own: z.boolean().describe('The key of this session: revoking it ends the session.'),
    }),
  ),
});

export const getAuditSchema = z.strictObject({ limit: limit.default(200) });
export const auditSchema = z.strictObject({
  lines: z.array(z.record(z.string(), z.unknown())).describe('The newest first.'),
});

export type Replicas = z.infer<typeof replicasSchema>;
export type PushTargetPage = z.infer<typeof pushTargetPageSchema>;
export type KeyList = z.infer<typeof keyListSchema>;
export type Audit = z.infer<typeof auditSchema>;
