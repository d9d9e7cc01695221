import { partSchema } from '@holdword/protocol/internal';
import { z } from 'zod';
import { time } from './tasks.ts';

const jsonObject = z.record(z.string(), z.unknown());

export const agentSummarySchema = z.strictObject({
  id: z.string().describe('served for the agent of this server.'),
  kind: z.enum(['served', 'remote']),
  url: z.string().describe('Where its card is.'),
  name: z.string(),
  description: z.string(),
  version: z.string().nullable(),
  skills: z.int(),
  errors: z.int().describe('Problems of its card that break clients.'),
  warnings: z.int(),
  fetchedAt: time.nullable(),
  unreachable: z.string().nullable().describe('Why the card could not be fetched the last time.'),
});
export type AgentSummary = z.infer<typeof agentSummarySchema>;

export const agentListSchema = z.strictObject({ agents: z.array(agentSummarySchema) });

/** One step to get a credential that an agent accepts. */
export const authenticationStepSchema = z.strictObject({
  title: z.string(),
  text: z.string(),
  url: z.string().nullable(),
});

export const authenticationSchemeSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(['api-key', 'http', 'oauth2', 'open-id-connect', 'mutual-tls', 'unknown']),
  sentAs: z.string().nullable().describe('Such as "Authorization: Bearer …" or "X-API-Key: …".'),
  steps: z.array(authenticationStepSchema),
  usable: z.boolean().describe('Whether the console can send a credential of this scheme.'),
});

export const agentDetailSchema = agentSummarySchema.extend({
  card: jsonObject,
  problems: z.array(
    z.strictObject({
      severity: z.enum(['error', 'warning']),
      path: z.string().describe('The field, such as skills[0].id.'),
      message: z.string(),
    }),
  ),
  interfaces: z.array(
    z.strictObject({ url: z.string(), binding: z.string(), version: z.string(), usable: z.boolean() }),
  ),
  skillList: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      description: z.string(),
      tags: z.array(z.string()),
      examples: z.array(z.string()),
      inputModes: z.array(z.string()),
      outputModes: z.array(z.string()),
    }),
  ),
  authentication: z.strictObject({
    required: z.boolean(),
    schemes: z.array(authenticationSchemeSchema),
    credential: z
      .string()
      .nullable()
      .describe('The scheme of the credential that is set. Never the credential.'),
  }),
});
export type AgentDetail = z.infer<typeof agentDetailSchema>;

export const addAgentSchema = z.strictObject({
  url: z.url().max(2_000).describe('The URL of the agent or of its card.'),
});

/** One exchange with an agent, for the log. Credentials are masked. */
export const exchangeSchema = z.strictObject({
  at: time,
  milliseconds: z.int(),
  request: z.strictObject({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().nullable(),
  }),
  response: z
    .strictObject({
      status: z.int(),
      headers: z.record(z.string(), z.string()),
      body: z.string().describe('Foreign text; cut if it is long.'),
      cut: z.boolean(),
    })
    .nullable(),
  problem: z.string().nullable().describe('Why there was no response.'),
});
export type Exchange = z.infer<typeof exchangeSchema>;

export const tryAgentSchema = z.strictObject({
  skill: z.string().optional(),
  parts: z.array(partSchema).min(1),
  contextId: z.string().optional(),
  taskId: z.string().optional(),
});
export const triedAgentSchema = z.strictObject({
  exchanges: z.array(exchangeSchema),
  result: z.unknown().describe('The result of SendMessage as A2A 1.0 JSON; null after an error.'),
  problem: z.string().nullable(),
  taskId: z.string().nullable(),
  contextId: z.string().nullable(),
});
export type TriedAgent = z.infer<typeof triedAgentSchema>;

export const setCredentialSchema = z.strictObject({
  scheme: z.string().describe('The name of the security scheme on the card.'),
  value: z.string().min(1).max(16_384),
});
export const credentialCheckSchema = z.strictObject({
  accepted: z
    .boolean()
    .nullable()
    .describe('Whether the agent accepted it; null if that could not be tried.'),
  message: z.string(),
  exchanges: z.array(exchangeSchema),
});
