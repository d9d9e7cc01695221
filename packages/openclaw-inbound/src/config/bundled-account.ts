import { createHash } from 'node:crypto';
import { REQUEST_ORIGIN, type AccountConfig, type PeerConfig } from './account-config.ts';
import type { BundledInput } from './channel-schema.ts';
import { fillAccount } from './fill-account.ts';

const DEFAULT_REPLY_TIMEOUT_MILLISECONDS = 120_000;
const DEFAULT_REQUESTS_PER_MINUTE = 30;

/** An agent from the gateway's configuration. */
export interface HostAgent {
  readonly id: string;
  readonly name?: string;
}

/** An account that behaves like OpenClaw's bundled channel: same address, peers, agents and answers. */
export function bundledAccount(
  accountId: string,
  input: BundledInput,
  advertisedUrl: string | undefined,
  agents: readonly HostAgent[],
): AccountConfig {
  const { exposeAgents = [], rateLimitPerMinute = DEFAULT_REQUESTS_PER_MINUTE } = input;
  // Only for the card; the gateway's bindings select the agent that answers.
  const shown = agents.filter(({ id }) => exposeAgents.length === 0 || exposeAgents.includes(id));
  const label = shown[0]?.name;
  const account = fillAccount(
    accountId,
    {
      // A separate endpoint for 0.3 clients: at the bundled one, a request without a version is 1.0.
      jsonRpcPath: '/a2a/v0.3',
      // The bundled channel creates a task for every message.
      agentStyle: 'task-generating',
      ...(label !== undefined && { label }),
      description: 'OpenClaw agent gateway using the Agent2Agent protocol.',
      skills: shown.map(({ id }) => ({
        id,
        name: id,
        description: `OpenClaw agent ${id}.`,
        tags: ['openclaw'],
      })),
    },
    advertisedUrl ?? REQUEST_ORIGIN,
  );
  const peers = Object.entries(input.peers ?? {}).map(([name, { token }]): [string, PeerConfig] => [
    name,
    {
      keyDigests: [createHash('sha256').update(token).digest('hex')],
      // As in the bundled channel: every peer uses the agent with all of its tools.
      tools: 'all',
      mayApprove: false,
      ...(rateLimitPerMinute > 0 && { requestsPerMinute: rateLimitPerMinute }),
    },
  ]);
  return {
    ...account,
    auth: { ...account.auth, required: true, peers: Object.fromEntries(peers) },
    agentsByBinding: true,
    legacyCardPath: '/.well-known/agent.json',
    unversionedJsonRpcPath: '/a2a/v1',
    replyTimeoutMilliseconds: input.replyTimeoutMs ?? DEFAULT_REPLY_TIMEOUT_MILLISECONDS,
  };
}
