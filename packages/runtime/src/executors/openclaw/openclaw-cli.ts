import { CliAgent } from '../cli-agent/cli-agent.ts';
import { failedProcess, wholeOutputReader } from '../cli-agent/output-readers.ts';
import type { CliEnd, CliOutcome, CliProfile, CliTurn } from '../cli-agent/profile.ts';
import { TerminalError } from '../executor-errors.ts';
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
    promptFileAbove: ARGUMENT_BYTES,
    defaultContextId: settings.sessionId,
    command: (turn) => ({
      file: settings.openclawPath,
      arguments: openClawArguments(turn, settings),
      environment: settings.envVars,
    }),
    reader: () => wholeOutputReader((output, end) => interpret(output, end, settings)),
  };
}

/** Linux accepts a little more in one argument. Versions of OpenClaw that do not read files need the argument. */
const ARGUMENT_BYTES = 120 * 1024;
/** The longest message that OpenClaw reads from a file. */
const MESSAGE_BYTES = 4 * 1024 * 1024;

/**
 * The message and its option are one argument. OpenClaw looks for `--profile`, `--help` and the like among all of its
 * arguments, before it knows which of them are values: a message must not be one by itself.
 */
function messageArguments({ prompt, promptFile }: Pick<CliTurn, 'prompt' | 'promptFile'>): string[] {
  if (promptFile === undefined) return [`--message=${prompt}`];
  const bytes = Buffer.byteLength(prompt);
  if (bytes <= MESSAGE_BYTES) return ['--message-file', promptFile];
  throw new TerminalError(
    `The message has ${bytes} bytes, and OpenClaw accepts at most ${MESSAGE_BYTES}. Send a shorter message, or the text as a file.`,
  );
}

export function openClawArguments(
  { prompt, promptFile, contextId, owner }: Pick<CliTurn, 'prompt' | 'promptFile' | 'contextId' | 'owner'>,
  { sessionId: defaultSessionId, thinking, agentId, timeout }: OpenClawSettings,
): string[] {
  const sessionId = sessionIdOf(contextId, { defaultSessionId, owner });
  return [
    'agent',
    // Otherwise the command needs a gateway.
    '--local',
    ...messageArguments({ prompt, promptFile }),
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
