import {
  agentSchema,
  alarmViewSchema,
  handoffSchema,
  heartbeatsSchema,
  sessionSchema,
} from '@holdword/hub/internal/views';
import { z } from 'zod';
import { cursor, limit, nextCursor } from './tasks.ts';

const page = { cursor: cursor.optional(), limit: limit.max(200).default(50) };

export const listHubAgentsSchema = z.strictObject({
  ...page,
  status: z.string().max(50).optional(),
  health: z.string().max(50).optional(),
  controller: z.string().max(200).optional(),
});
export const hubAgentPageSchema = z.strictObject({ agents: z.array(agentSchema), nextCursor });
export const hubAgentDetailSchema = z.strictObject({ agent: agentSchema, series: heartbeatsSchema });

export const listHubSessionsSchema = z.strictObject({
  ...page,
  agent: z.string().max(200).optional(),
  status: z.string().max(50).optional(),
});
export const hubSessionPageSchema = z.strictObject({ sessions: z.array(sessionSchema), nextCursor });

export const listHandoffsSchema = listHubSessionsSchema;
export const handoffPageSchema = z.strictObject({ handoffs: z.array(handoffSchema), nextCursor });
export const handoffDetailSchema = z.strictObject({
  handoff: handoffSchema,
  packet: z
    .record(z.string(), z.unknown())
    .describe(
      'As the successor gets it, written by rules. Each fact in `evidence` has a `source`: task_id and sequence of its event.',
    ),
});
export type HandoffDetail = z.infer<typeof handoffDetailSchema>;

export const listAlarmsSchema = z.strictObject({
  ...page,
  agent: z.string().max(200).optional(),
  type: z.string().max(50).optional(),
});
export const alarmPageSchema = z.strictObject({ alarms: z.array(alarmViewSchema), nextCursor });

export type HubAgentPage = z.infer<typeof hubAgentPageSchema>;
export type HubAgentDetail = z.infer<typeof hubAgentDetailSchema>;
export type HubSessionPage = z.infer<typeof hubSessionPageSchema>;
export type HandoffPage = z.infer<typeof handoffPageSchema>;
export type AlarmPage = z.infer<typeof alarmPageSchema>;
