import { CliAgent } from '../../cli-agent/cli-agent.ts';
import type { OpenClawDependencies } from '../openclaw-dependencies.ts';
import { openClawSettings, type OpenClawOptions } from '../openclaw-options.ts';
import { openClawCliProfile } from './openclaw-cli-profile.ts';

/** `openclaw agent --local` does not run twice at once on the same state, so turns wait for each other. */
const PROCESSES = 1;

/** An agent that runs `openclaw agent --local` for each turn. */
export function openOpenClawCli(options: OpenClawOptions, server: OpenClawDependencies): Promise<CliAgent> {
  const settings = openClawSettings(options);
  return CliAgent.open({
    ...server,
    profile: openClawCliProfile(settings),
    timeoutMilliseconds: settings.timeout * 1_000,
    maxProcesses: PROCESSES,
    ...(settings.workingDirectory !== undefined && {
      workingDirectory: { fixed: settings.workingDirectory },
    }),
  });
}
