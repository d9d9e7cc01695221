import { CliAgent } from '../executors/cli-agent/cli-agent.ts';
import type { CliProfile } from '../executors/cli-agent/profile.ts';
import type { OpenedAgent } from './agent-kind.ts';
import type { AgentServer } from './agent-server.ts';
import { processSettings, type ProcessOptions } from './process-settings.ts';

/** Opens an agent that runs one process per turn. */
export async function openProgram(
  profile: CliProfile,
  options: ProcessOptions & { maxProcesses?: number },
  server: AgentServer,
): Promise<OpenedAgent> {
  const { maxProcesses } = options;
  const executor = await CliAgent.open({
    ...server,
    ...processSettings(options),
    ...(maxProcesses !== undefined && { maxProcesses }),
    profile,
  });
  return { executor };
}
