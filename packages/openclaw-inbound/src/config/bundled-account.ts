import { createHash } from 'node:crypto';
import { REQUEST_ORIGIN, type AccountConfig, type PeerConfig } from './account-config.ts';
import type { BundledInput } from './channel-schema.ts';
import { fillAccount } from './fill-account.ts';

const DEFAULT_REPLY_TIMEOUT_MILLISECONDS = 120_000;
const DEFAULT_CALLS_PER_MINUTE = 30;

/** An agent that the gateway's configuration names. */
export interface HostAgent {
  readonly id: string;
  readonly name?: string;
}

/** The account that OpenClaw's own channel would have: the same address, the same peers, the same agents and answers. */
export function bundledAccount(
  accountId: string,
  input: BundledInput,
  advertisedUrl: string | undefined,
  agents: readonly HostAgent[],
): AccountConfig {
  const { exposeAgents = [], rateLimitPerMinute = DEFAULT_CALLS_PER_MINUTE } = input;
  // What the card shows; who answers is for the gateway's bindings to say.
  const shown = agents.filter(({ id }) => exposeAgents.length === 0 || exposeAgents.includes(id));
  const label = shown[0]?.name;
  const account = fillAccount(
    accountId,
    {
      // Clients of 0.3 get an address of their own: at the other one a request without a version is of 1.0.
      jsonRpcPath: '/a2a/v0.3',
      // That channel makes a task of every message.
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
      // As that channel has it: whoever holds a token uses the agent with the tools it has.
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
