/** What operators and owners see of a hub, with its JSON field names. The OpenAPI document is made from these schemas. */
import { z } from 'zod';
import { ALARM_DELIVERIES } from '../heartbeats/alarm-records.ts';
import { METRIC_FIELDS } from '../heartbeats/heartbeat-series.ts';

const time = z.iso.datetime();
const metric = z.number().nullable();

const metrics = {
  [METRIC_FIELDS.errors]: metric.describe('Errors in the last hour.'),
  [METRIC_FIELDS.p95]: metric.describe('95th percentile of the latency in milliseconds.'),
  [METRIC_FIELDS.queue]: metric.describe('Items in the queue.'),
};

export const AGENT_STATUSES = ['active', 'blocked', 'deleted'] as const;
export const AGENT_HEALTHS = ['unknown', 'missing', 'incident', 'steady'] as const;
export const SESSION_STATUSES = ['active', 'idle', 'expired'] as const;
export const HANDOFF_STATUSES = [
  'offered',
  'claimed',
  'acknowledged',
  'withdrawn',
  'declined',
  'finished',
  'expired',
] as const;
export const ALARM_TYPES = ['agent.heartbeat_missed', 'agent.returned'] as const;

const mark = z
  .strictObject({
    at: time,
    by: z.string().nullable().describe('The caller; null for the agent itself and the command line.'),
    by_operator: z.boolean(),
    reason: z.string().nullable(),
  })
  .nullable();

export const agentSchema = z.strictObject({
  agent_id: z.string(),
  agent_name: z.string(),
  status: z.enum(AGENT_STATUSES),
  health: z
    .enum(AGENT_HEALTHS)
    .describe(
      'unknown without heartbeats; missing after two missed beats; incident or steady by its metrics.',
    ),
  identity_mode: z.enum(['stable_declared', 'ephemeral_hospitality']),
  registered_by: z
    .string()
    .nullable()
    .describe('The caller that registered the agent; null without a credential.'),
  controller_id: z.string().nullable(),
  controller_confirmed: z.boolean(),
  skills: z.array(z.string()),
  source: z.string().nullable(),
  first_seen_at: time,
  last_seen_at: time.nullable().describe('The last sign of life; null if it never sent a heartbeat.'),
  last_heartbeat_at: time.nullable(),
  missing_at: time
    .nullable()
    .describe('When it counts as missing without a sign of life; null if it is not watched.'),
  cadence_seconds: z.number().nullable(),
  heartbeats: z.number(),
  ...metrics,
  blocked: mark,
  deleted: mark,
});

export const heartbeatsSchema = z.strictObject({
  agent_id: z.string(),
  samples: z.array(z.strictObject({ at: time, ...metrics })).describe('The newest heartbeats, oldest first.'),
  hours: z
    .array(z.strictObject({ hour: time, heartbeats: z.number(), ...metrics }))
    .describe('The highest metrics of each of the last hours with a heartbeat, oldest first.'),
});

export const sessionSchema = z.strictObject({
  session_id: z.string(),
  agent_id: z.string(),
  status: z
    .enum(SESSION_STATUSES)
    .describe('active: continued by requests that name no session; idle: continued by its id; expired.'),
  started_at: time,
  last_used_at: time,
  expires_at: time,
});

export const handoffSchema = z.strictObject({
  handoff_id: z.string(),
  status: z.enum(HANDOFF_STATUSES),
  kind: z.enum(['task', 'report']).describe('task: a task of the agent; report: work that it reported.'),
  task_id: z.string(),
  continued_as: z.string().nullable().describe('The new task that continues a failed one.'),
  session_id: z.string(),
  agent_id: z.string().describe('The owner of the task.'),
  controller_id: z.string().nullable(),
  offered_by: z.string(),
  offered_to: z.record(z.string(), z.string()),
  note: z.string().nullable(),
  created_at: time,
  expires_at: time,
  lease_seconds: z.number(),
  lease: z
    .strictObject({
      agent_id: z.string(),
      claimed_at: time,
      until: time,
      acknowledged_at: time.nullable(),
    })
    .nullable(),
  refusals: z.array(z.strictObject({ agent_id: z.string(), at: time, kind: z.string(), reason: z.string() })),
  refusal_count: z.number(),
});

export const alarmViewSchema = z.strictObject({
  alarm_id: z.string(),
  type: z.enum(ALARM_TYPES),
  agent_id: z.string(),
  controller_id: z.string().nullable(),
  last_seen_at: time,
  noticed_at: time,
  returned_at: time.nullable(),
  cadence_seconds: z.number(),
  handoff_ids: z.array(z.string()),
  delivery: z.enum(ALARM_DELIVERIES).describe('Whether the webhook got it; none without a webhook.'),
});

const nextCursor = z.string().nullable().describe('The cursor of the next page; null on the last one.');

export const agentsPageSchema = z.strictObject({ agents: z.array(agentSchema), next_cursor: nextCursor });
export const sessionsPageSchema = z.strictObject({
  sessions: z.array(sessionSchema),
  next_cursor: nextCursor,
});
export const handoffsPageSchema = z.strictObject({
  handoffs: z.array(handoffSchema),
  next_cursor: nextCursor,
});
export const alarmsPageSchema = z.strictObject({ alarms: z.array(alarmViewSchema), next_cursor: nextCursor });

export type AgentView = z.infer<typeof agentSchema>;
export type HeartbeatsView = z.infer<typeof heartbeatsSchema>;
export type SessionView = z.infer<typeof sessionSchema>;
export type HandoffView = z.infer<typeof handoffSchema>;
export type AlarmView = z.infer<typeof alarmViewSchema>;
