import { resolve } from 'node:path';
import type { A2AAgents, A2AAgentsOptions } from '@holdword/client';
import type { CommandInput, OptionDescription } from '../command-line/command.ts';
import { UsageError } from '../usage-error.ts';

/** Options of commands that call other agents: they name the agents. */
export const AGENT_OPTIONS = {
  agents: {
    value: 'FILE',
    description: 'JSON file of agents: {"ID": {"url": "…", "custom_headers": {"NAME": "VALUE"}}}',
    environment: 'HOLDWORD_AGENTS',
  },
  agent: {
    value: 'ID=URL',
    description: 'An agent by id and URL of its card; can be given several times',
    repeatable: true,
  },
  allow: {
    value: 'HOST',
    description:
      'Private host, address or range that agent cards may name and files may be downloaded from; can be given several times',
    repeatable: true,
  },
} as const satisfies Record<string, OptionDescription>;

type Source = Pick<CommandInput, 'options' | 'repeated' | 'environment' | 'workingFolder'>;

/** The agents named in a file and on the command line. The client is loaded only then. */
export async function openAgents(
  { options, repeated, environment, workingFolder }: Source,
  limits: Pick<
    A2AAgentsOptions,
    'cardTimeout' | 'maxResponseBytes' | 'maxResultBytes' | 'largePartsFolder'
  > = {},
): Promise<A2AAgents> {
  const file = options['agents'] ?? environment[AGENT_OPTIONS.agents.environment];
  const single = repeated['agent'] ?? [];
  if (file === undefined && single.length === 0) {
    throw new UsageError('No agents given. Use --agents FILE or --agent ID=URL.');
  }
  const client = await import('@holdword/client');
  try {
    const agents = new client.A2AAgents(file === undefined ? {} : resolve(workingFolder, file), {
      environment,
      allow: repeated['allow'] ?? [],
      ...limits,
    });
    for (const text of single) {
      const [, agentId = '', url = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
      if (url === '') throw new UsageError(`--agent: expected ID=URL, found "${text}".`);
      await agents.addAgent(agentId, url);
    }
    return agents;
  } catch (error) {
    throw error instanceof Error ? new UsageError(error.message, { cause: error }) : error;
  }
}
