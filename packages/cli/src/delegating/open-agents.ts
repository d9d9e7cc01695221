import { resolve } from 'node:path';
import { A2AAgents } from '@holdword/client';
import type { CommandInput } from '../arguments/command.ts';
import { UsageError } from '../usage-error.ts';
import { AGENT_OPTIONS } from './tool-options.ts';

type Source = Pick<CommandInput, 'options' | 'repeated' | 'environment' | 'workingFolder'>;

/** The agents named in a file and on the command line. */
export async function openAgents({
  options,
  repeated,
  environment,
  workingFolder,
}: Source): Promise<A2AAgents> {
  const file = options['agents'] ?? environment[AGENT_OPTIONS.agents.environment];
  const single = repeated['agent'] ?? [];
  if (file === undefined && single.length === 0) {
    throw new UsageError('No agents given. Use --agents FILE or --agent ID=URL.');
  }
  try {
    const agents = new A2AAgents(file === undefined ? {} : resolve(workingFolder, file), { environment });
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
