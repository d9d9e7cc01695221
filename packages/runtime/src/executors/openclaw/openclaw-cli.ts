import { CliAgent } from '../cli-agent/cli-agent.ts';
import { failedProcess, wholeOutputReader } from '../cli-agent/output-readers.ts';
import type { CliEnd, CliOutcome, CliProfile, CliTurn } from '../cli-agent/profile.ts';
import { findAgentAnswer, GatewayOwnsState, isGatewayInTheWay, outcomeOfAnswer } from './agent-answer.ts';
import { openClawVariables } from './openclaw-environment.ts';
import {
  OPENCLAW_CARD,
  openClawDeadline,
  type OpenClawDependencies,
  openClawFileFolders,
  type OpenClawOptions,
  openClawSettings,
  type OpenClawSettings,
} from './openclaw-options.ts';
import { sessionIdOf } from './session-id.ts';

/** `openclaw agent --local` does not run twice at once on the same state, so turns wait for each other. */
const PROCESSES = 1;

/** An agent that runs `openclaw agent --local` for each turn. */
export function openOpenClawCli(options: OpenClawOptions, server: OpenClawDependencies): Promise<CliAgent> {
  const settings = openClawSettings(options);
  return CliAgent.open({
    ...server,
    profile: openClawCliProfile(settings),
    environment: { names: settings.passEnvironment },
    timeoutMilliseconds: settings.timeout * 1_000,
    maxOutputBytes: settings.maxOutputBytes,
    maxProcesses: PROCESSES,
    ...(settings.workingDirectory !== undefined && {
      workingDirectory: { fixed: settings.workingDirectory },
    }),
  });
}

const NAME = 'openclaw-cli';

/** A turn of the command takes no longer than ten minutes unless it is told otherwise; this is safely less. */
const COMMAND_SECONDS = 570;

/** OpenClaw via its command: `openclaw agent --local`, one process per turn, without a gateway. */
export function openClawCliProfile(settings: OpenClawSettings): CliProfile {
  return {
    name: NAME,
    card: OPENCLAW_CARD,
    environmentNames: openClawVariables(),
    defaultContextId: settings.sessionId,
    command: (turn) => ({
      file: settings.openclawPath,
      arguments: openClawArguments(turn, settings),
      environment: settings.envVars,
    }),
    reader: () => wholeOutputReader((output, end) => interpret(output, end, settings)),
  };
}

export function openClawArguments(
  { prompt, contextId, owner }: Pick<CliTurn, 'prompt' | 'contextId' | 'owner'>,
  { sessionId: defaultSessionId, thinking, agentId, timeout }: OpenClawSettings,
): string[] {
  const sessionId = sessionIdOf(contextId, { defaultSessionId, owner });
  return [
    'agent',
    // Otherwise the command needs a gateway.
    '--local',
    '--message',
    prompt,
    '--json',
    '--session-id',
    sessionId,
    ...(thinking === undefined ? [] : ['--thinking', thinking]),
    ...(agentId === undefined ? [] : ['--agent', agentId]),
    // Otherwise the command stops by itself, before our timeout.
    ...(timeout < COMMAND_SECONDS ? [] : ['--timeout', String(openClawDeadline(timeout))]),
  ];
}

async function interpret(output: string, end: CliEnd, settings: OpenClawSettings): Promise<CliOutcome> {
  // Versions before 2026.5.5 print the answer to stderr.
  const printed = output.trim() === '' ? end.errorOutput : output;
  const failed = end.exitCode !== 0;
  const answer = findAgentAnswer(printed, { failed });
  if (answer === undefined) {
    if (failed && isGatewayInTheWay(end.errorOutput)) throw new GatewayOwnsState();
    if (failed) return failedProcess(NAME, end);
    const text = 'OpenClaw did not print a valid answer. Check the version of OpenClaw and its log.';
    return { state: 'failed', text };
  }
  return outcomeOfAnswer(answer, {
    via: 'cli',
    isLocal: true,
    failed,
    toPublic: end.toPublic,
    maxFileBytes: settings.maxFileBytes,
    fileFolders: openClawFileFolders(settings),
  });
}
