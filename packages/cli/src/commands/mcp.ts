import { randomUUID } from 'node:crypto';
import type { A2AAgents } from '@holdword/client';
import type { A2AError } from '@holdword/protocol';
import { asObject, hasRemoteText, quotedMessage, shorten } from '@holdword/protocol/internal';
import type { Command } from '../command-line/command.ts';
import { JSON_OPTION, printData } from '../command-line/json-output.ts';
import { renderTable } from '../command-line/render-table.ts';
import { listed } from './command-list.ts';
import {
  DEFAULT_MCP_HOST,
  DEFAULT_ON_CANCEL,
  DEFAULT_TASK_TTL,
  MCP_TOKEN,
  ON_CANCEL,
  TOOL_OPTIONS,
} from './mcp-options.ts';
import { AGENT_OPTIONS, openAgents } from './open-agents.ts';

const MAX_CELL_LENGTH = 60;

const mcp: Command = {
  ...listed('mcp'),
  details:
    'Speaks MCP over stdin and stdout, as MCP hosts expect of a command they start, unless --http is given.',
  options: {
    ...TOOL_OPTIONS,
    http: {
      value: 'PORT',
      description: 'Serve over HTTP on this port instead; 0 picks a free port',
    },
    host: {
      value: 'ADDRESS',
      description: `Address to listen on with --http; any address but localhost needs a token in ${MCP_TOKEN}`,
      default: DEFAULT_MCP_HOST,
    },
    'on-cancel': {
      value: ON_CANCEL.join('|'),
      description: 'What to do with the remote task when the host cancels a tool call',
      default: DEFAULT_ON_CANCEL,
    },
    'task-ttl': {
      value: 'DURATION',
      description: 'How long MCP tasks are kept, from the call on; only with --data',
      default: DEFAULT_TASK_TTL,
    },
  },
  examples: [
    { comment: 'Let an MCP host use the agents of a file', command: 'holdword mcp --agents agents.json' },
    {
      comment: 'Use one agent, and keep tasks and files between runs',
      command: 'holdword mcp --agent demo=http://127.0.0.1:4310 --data ./mcp-data',
    },
    {
      comment: 'Serve the tools over HTTP at http://127.0.0.1:4320/mcp',
      command: 'holdword mcp --agents agents.json --http 4320',
    },
  ],
  page: 'guides/connect-an-mcp-host.md',
  async run(input) {
    // Loaded on demand: the client and MCP are a lot of code, which help does not need.
    const { runMcp } = await import('./run-mcp.ts');
    return runMcp(input);
  },
};

const mcpCheck: Command = {
  ...listed('mcp check'),
  details:
    'Asks each agent for a task that does not exist, to see whether it can be called with its headers. Says what is wrong with each agent, and exits with code 1 if there is something.',
  options: { ...AGENT_OPTIONS, ...JSON_OPTION },
  examples: [
    { comment: 'Check the agents of a file', command: 'holdword mcp check --agents agents.json' },
    {
      comment: 'Check a single agent',
      command: 'holdword mcp check --agent demo=http://127.0.0.1:4310',
    },
  ],
  page: 'guides/connect-an-mcp-host.md',
  async run(input) {
    const agents = await openAgents(input);
    try {
      const [reached, failures] = await Promise.all([agents.getAgents(), agents.getFailures()]);
      const refusals = await Promise.all(
        Object.entries(reached).map(([agentId, { agentCard }]) => problemOf(agents, agentId, agentCard)),
      );
      const none = agents.agentIds.length === 0 ? [NO_AGENTS] : [];
      const reasons = [
        ...none,
        ...Object.values(failures),
        ...refusals.filter((reason) => reason !== undefined),
      ];
      const found = Object.entries(reached).map(([agent, { agentCard }]) => ({
        agent,
        name: agentCard.name,
        skills: agentCard.skills.map(({ name }) => name),
      }));
      printData(input, { agents: found, problems: reasons }, () => {
        const rows = found.map(({ agent, name, skills }) => [agent, cell(name), cell(skills.join(', '))]);
        if (rows.length > 0) input.terminal.out(renderTable(['AGENT', 'NAME', 'SKILLS'], rows));
      });
      for (const reason of reasons) input.terminal.error(`${cell(reason, Infinity)}\n`);
      return reasons.length === 0 ? 0 : 1;
    } finally {
      agents.close();
    }
  },
};

const NO_AGENTS = 'There are no agents to check. Add one to the file: {"ID": {"url": "…"}}';
const CHECK_TIMEOUT_SECONDS = 15;
/** How an agent that works answers a request for a task that does not exist. Some agents have no tasks at all. */
const EXPECTED: ReadonlySet<string> = new Set(['TASK_NOT_FOUND', 'INVALID_PARAMS', 'UNSUPPORTED_OPERATION']);
const REFUSED: ReadonlySet<string> = new Set(['UNAUTHENTICATED', 'PERMISSION_DENIED']);

/** Why an agent cannot be called. Its card alone does not tell. */
async function problemOf(
  agents: A2AAgents,
  agentId: string,
  { url }: { readonly url: string },
): Promise<string | undefined> {
  const { A2ASession, isA2AError } = await import('@holdword/client');
  try {
    await new A2ASession(agents).getTask(agentId, randomUUID(), { timeout: CHECK_TIMEOUT_SECONDS });
  } catch (error) {
    if (!isA2AError(error)) return `Agent "${agentId}" cannot be called: ${String(error)}`;
    if (EXPECTED.has(error.code) || isUnknownMethod(error)) return undefined;
    // The card cannot be used; the message names the agent.
    if (error.code === 'VERSION_NOT_SUPPORTED') return quotedMessage(error);
    // A server in a container may not know the address that its callers use.
    if (error.code === 'UNAVAILABLE' && !hasRemoteText(error)) {
      return `Agent "${agentId}" has a card, but does not answer at the addresses on it, such as ${cell(url)}: ${error.message}`;
    }
    const does = REFUSED.has(error.code) ? 'refuses requests' : 'does not work';
    return `Agent "${agentId}" has a card but ${does}: ${quotedMessage(error)}`;
  }
  return undefined;
}

/** Whether an agent said over JSON-RPC that it does not know the method. HTTP status 404 says that there is no agent. */
function isUnknownMethod({ code, cause }: A2AError): boolean {
  return code === 'METHOD_NOT_FOUND' && typeof asObject(cause)['code'] === 'number';
}

/** Cards are written by others: control characters must not reach the terminal. */
function cell(given: string, longest = MAX_CELL_LENGTH): string {
  return shorten(given.replaceAll(/\p{Cc}+/gu, ' '), longest);
}

export const commands: readonly Command[] = [mcp, mcpCheck];
