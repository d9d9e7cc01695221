import { createHash } from 'node:crypto';
import { integer, listOf, text } from '@holdword/runtime/internal';
import { z } from 'zod';
import { REQUEST_ORIGIN, resolveAccount, type AccountConfig, type PeerConfig } from './account-config.ts';
import { accountSchema, peerName } from './account-schema.ts';

const REPLY_TIMEOUT_MILLISECONDS = 120_000;
const REQUESTS_PER_MINUTE = 30;

const httpUrl = z
  .string({ error: 'expected a URL' })
  .refine((given) => /^https?:\/\//.test(given), 'expected a URL starting with http:// or https://');

/**
 * The configuration of OpenClaw's bundled A2A channel, accepted unchanged. Its defaults are not in the JSON schema: a host that
 * fills them in would turn every configuration into one of the bundled channel.
 */
export const bundledSchema = z.strictObject(
  {
    advertisedUrl: httpUrl.optional().describe('The URL at which other agents reach the gateway.'),
    replyTimeoutMs: integer('a number of milliseconds', 5_000, 600_000)
      .optional()
      .describe(
        `How long a blocking send waits before it returns the current task. Default: ${REPLY_TIMEOUT_MILLISECONDS}.`,
      ),
    rateLimitPerMinute: integer('a number of requests', 0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe(`Requests per minute and peer; 0 for no limit. Default: ${REQUESTS_PER_MINUTE}.`),
    exposeAgents: listOf(text).optional().describe('The agents on the card. Default: all.'),
    peers: z
      .record(
        peerName,
        z.strictObject(
          {
            token: text.describe('The bearer token that the peer sends.'),
            url: httpUrl.optional().describe('Not used by this plugin.'),
            outboundToken: text.optional().describe('Not used by this plugin.'),
          },
          { error: 'expected an object with a token' },
        ),
        { error: 'expected an object of peers by name' },
      )
      .optional()
      .describe('The callers allowed to connect, by name.'),
  },
  { error: 'expected an object' },
);

/** The settings that are only of the bundled channel. */
export const BUNDLED_KEYS: readonly string[] = Object.keys(bundledSchema.shape);

type BundledSettings = z.infer<typeof bundledSchema>;

/** An agent from the gateway's configuration. */
export interface HostAgent {
  readonly id: string;
  readonly name?: string | undefined;
}

/** An account that behaves like OpenClaw's bundled channel: same address, peers, agents and answers. */
export function bundledAccount(
  accountId: string,
  settings: BundledSettings,
  advertisedUrl: string | undefined,
  agents: readonly HostAgent[],
): AccountConfig {
  const { exposeAgents = [], rateLimitPerMinute = REQUESTS_PER_MINUTE } = settings;
  // Only for the card; the gateway's bindings select the agent that answers.
  const shown = agents.filter(({ id }) => exposeAgents.length === 0 || exposeAgents.includes(id));
  const label = shown[0]?.name;
  const account = resolveAccount(
    accountId,
    accountSchema.parse({
      // A separate endpoint for 0.3 clients: at the bundled one, a request without a version is 1.0.
      jsonRpcPath: '/a2a/v0.3',
      // The bundled channel creates a task for every message.
      agentStyle: 'task-generating',
      label,
      description: 'OpenClaw agent gateway using the Agent2Agent protocol.',
      skills: shown.map(({ id }) => ({
        id,
        name: id,
        description: `OpenClaw agent ${id}.`,
        tags: ['openclaw'],
      })),
    }),
    advertisedUrl ?? REQUEST_ORIGIN,
  );
  const peers = Object.entries(settings.peers ?? {}).map(([name, { token }]): [string, PeerConfig] => [
    name,
    {
      keyDigests: [createHash('sha256').update(token).digest('hex')],
      // As in the bundled channel: every peer uses the agent with all of its tools and files.
      tools: 'all',
      privateFiles: true,
      mayApprove: false,
      subject: undefined,
      hostCaller: undefined,
      agentId: undefined,
      requestsPerMinute: rateLimitPerMinute > 0 ? rateLimitPerMinute : undefined,
      concurrentTurns: undefined,
    },
  ]);
  return {
    ...account,
    auth: { ...account.auth, required: true, peers: Object.fromEntries(peers) },
    agentsByBinding: true,
    legacyCardPath: '/.well-known/agent.json',
    unversionedJsonRpcPath: '/a2a/v1',
    replyTimeoutMilliseconds: settings.replyTimeoutMs ?? REPLY_TIMEOUT_MILLISECONDS,
  };
}
