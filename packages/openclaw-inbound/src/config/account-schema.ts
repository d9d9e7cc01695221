import { isAllowEntry } from '@holdword/net/internal';
import { isAbsolute } from 'node:path';
import { flag, integer, listOf, text } from '@holdword/runtime/internal';
import { z } from 'zod';
import { authSchema } from './auth-schema.ts';

const AGENT_STYLES = ['hybrid', 'task-generating'] as const;

/** A path that matches the gateway's exact routes. */
const path = z
  .string({ error: 'expected a path' })
  .regex(/^(\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/, 'expected a path such as /a2a/jsonrpc');

const folder = text.refine(isAbsolute, 'expected an absolute path').describe('An absolute path.');

const taskStoreSchema = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('memory') }),
    z.strictObject({ kind: z.literal('json-file'), path: folder }),
    z.strictObject({ kind: z.literal('sqlite'), path: folder }),
    z.strictObject({
      kind: z.literal('postgres'),
      url: z
        .url({
          protocol: /^postgres(ql)?$/,
          error: 'expected a database URL such as postgres://user:password@host/name',
        })
        .describe('postgres://user:password@host:5432/name'),
      schema: text.optional().describe('The database schema. Default: holdword.'),
    }),
  ],
  { error: 'expected an object whose kind is memory, json-file, sqlite or postgres' },
);

const skillSchema = z.strictObject(
  {
    id: z.string({ error: 'expected a string' }).optional().describe('A skill without an id is ignored.'),
    name: z.string({ error: 'expected a string' }).optional().describe('A skill without a name is ignored.'),
    description: text.optional().describe('Default: the name.'),
    tags: listOf(text).optional(),
    examples: listOf(text).optional(),
    inputModes: listOf(text).optional(),
    outputModes: listOf(text).optional(),
  },
  { error: 'expected an object with id and name' },
);

const featuresSchema = z.strictObject(
  {
    rest: flag.optional().describe('The HTTP+JSON binding.'),
    push: flag.optional().describe('Push notifications.'),
    files: flag.optional().describe('Files in messages and answers.'),
    extendedCard: flag.optional().describe('An extended card for authenticated callers.'),
  },
  { error: 'expected an object' },
);

const pushSchema = z.strictObject(
  {
    allowPrivate: listOf(
      text.refine(isAllowEntry, {
        error: 'expected a CIDR range such as 10.0.0.0/8, an IP address or a host name',
      }),
    )
      .optional()
      .describe('Private ranges, addresses and hosts that may be notified, including over http.'),
  },
  { error: 'expected an object' },
);

/** `channels.a2a.accounts.<id>`. */
export const accountSchema = z.strictObject(
  {
    enabled: flag.optional().describe('Default: true.'),
    label: text.optional().describe('The name on the card. Default: OpenClaw.'),
    description: text.optional().describe('The description on the card.'),
    publicBaseUrl: z
      .string({ error: 'expected a URL' })
      .optional()
      .describe(
        'The URL at which other agents reach the gateway. Required: without it the account does not start.',
      ),
    defaultAgentId: text.optional().describe('The agent that answers. Default: main.'),
    agentCardPath: path.optional().describe('Default: /.well-known/agent-card.json.'),
    jsonRpcPath: path.optional().describe('Default: /a2a/jsonrpc.'),
    maxBodyBytes: integer('a number of bytes', 1, 1_073_741_824)
      .optional()
      .describe('Maximum size of a request body. Default: 1048576 (1 MiB).'),
    defaultInputModes: listOf(text)
      .min(1, 'expected at least one media type')
      .optional()
      .describe(
        'Media types of messages. Default: text/plain, application/json; with features.files also */*.',
      ),
    defaultOutputModes: listOf(text)
      .min(1, 'expected at least one media type')
      .optional()
      .describe(
        'Media types of answers. Default: text/plain, application/json; with features.files also */*.',
      ),
    agentStyle: z
      .enum(AGENT_STYLES, { error: `expected one of ${AGENT_STYLES.join(', ')}` })
      .optional()
      .describe(
        'hybrid (default): short answers are plain messages. task-generating: every answer is a task.',
      ),
    taskStore: taskStoreSchema.optional().describe('Where tasks are stored. Default: { kind: "memory" }.'),
    skills: listOf(skillSchema).optional().describe('The skills on the card. Default: one named Chat.'),
    features: featuresSchema.optional().describe('Optional features, all off by default.'),
    push: pushSchema.optional().describe('Push notification settings; features.push enables them.'),
    auth: authSchema.optional().describe('Who may call, and which agent and tools they get.'),
    originRoutingPolicy: text
      .optional()
      .describe('Accepted for compatibility with @aramisfa/openclaw-a2a-inbound. Has no effect.'),
  },
  { error: 'expected an object' },
);

export type AccountInput = z.infer<typeof accountSchema>;
