import { join, resolve } from 'node:path';
import {
  A2ASession,
  A2ATools,
  JSONTaskStore,
  LocalFileStore,
  type A2AAgents,
  type A2ASessionOptions,
  type ExtraToolName,
} from '@holdword/client';
import { EXTRA_TOOL_NAMES, prepareTaskFolder } from '@holdword/client/internal';
import { type McpTaskOptions, McpToolServer, serveMcpHttp, serveMcpStdio } from '@holdword/client/mcp';
import type { CommandInput } from '../command-line/command.ts';
import { parseDuration, parseLongDuration, parseSize } from '../command-line/parse-arguments.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { DEFAULT_LOG_LEVEL, defaultLogFormat } from '../config/config-schema.ts';
import { openLog } from '../serving/log.ts';
import { firstStopSignal, firstStrayFailure } from '../serving/stop-reasons.ts';
import { CommandError, UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import {
  DEFAULT_MAX_FILE,
  DEFAULT_MAX_RESPONSE,
  DEFAULT_MAX_RESULT,
  DEFAULT_MCP_HOST,
  DEFAULT_ON_CANCEL,
  DEFAULT_TASK_TTL,
  DEFAULT_TOOL_TIMEOUT,
  MCP_TOKEN,
  ON_CANCEL,
} from './mcp-options.ts';
import { openAgents } from './open-agents.ts';

/** A card is small: a server that takes longer hangs, however long an agent may work. */
const MAX_CARD_TIMEOUT_SECONDS = 15;

/** Serves MCP until the host disconnects or a signal stops it. Resolves with the exit code. */
export async function runMcp(input: CommandInput): Promise<number> {
  let code = 0;
  const log = openLog(input.terminal, DEFAULT_LOG_LEVEL, defaultLogFormat(input.terminal));
  const failed = firstStrayFailure(log).then(() => (code = 1));
  const stopRequested = Promise.race([firstStopSignal(), failed]);
  const port = portIn(input.options['http']);
  if (port === undefined && input.options['host'] !== undefined) {
    throw new UsageError('--host: applies only to --http. Add --http PORT, or leave --host out.');
  }
  const cancelTasks = onCancel(input.options['on-cancel']) === 'cancel';
  const folder = dataFolder(input);
  const tasks = tasksIn(input, folder);
  if (folder !== undefined) await prepareData(folder);
  const { maxResponseBytes, maxResultBytes } = sizesIn(input);
  const timeout = timeoutIn(input);
  const agents = await openAgents(input, {
    cardTimeout: Math.min(timeout, MAX_CARD_TIMEOUT_SECONDS),
    maxResponseBytes,
    maxResultBytes,
    ...(folder !== undefined && { largePartsFolder: join(folder, 'large') }),
  });
  try {
    const server = new McpToolServer({
      tools: openTools(agents, timeout, input),
      version: version(),
      cancelTasks,
      tasks,
    });
    if (port === undefined) await overStdio(server, stopRequested, input.terminal);
    else await overHttp(server, port, stopRequested, input);
    return code;
  } finally {
    agents.close();
  }
}

async function overStdio(
  server: McpToolServer,
  stopRequested: Promise<unknown>,
  terminal: Terminal,
): Promise<void> {
  const { stdin: input, stdout: output } = process;
  const served = serveMcpStdio(server, { input, output, onError: (error) => report(terminal, error) });
  if (input.isTTY) {
    terminal.error(
      'MCP server running on stdin and stdout. It is meant to be started by an MCP host. Press Ctrl-C to stop.\n',
    );
  }
  await Promise.race([served.ended, stopRequested]);
  await served.close();
  // A host that keeps the pipe open after the end must not keep the process alive.
  input.destroy();
}

async function overHttp(
  server: McpToolServer,
  port: number,
  stopRequested: Promise<unknown>,
  { options, environment, terminal }: CommandInput,
): Promise<void> {
  const token = environment[MCP_TOKEN] || undefined;
  const { host = DEFAULT_MCP_HOST } = options;
  const served = await serveMcpHttp(server, {
    port,
    host,
    token,
    onError: (error) => report(terminal, error),
  }).catch((error: unknown) => {
    // The library does not know where the token comes from.
    throw error instanceof Error
      ? new CommandError(error.message.replace('Set a token', `Set a token in ${MCP_TOKEN}`), {
          cause: error,
        })
      : error;
  });
  terminal.announce(`MCP server listening at ${served.url}\n\nPress Ctrl-C to stop.\n`);
  await stopRequested;
  terminal.error('\nStopping.\n');
  await served.close();
}

function report(terminal: Terminal, error: Error): void {
  terminal.error(`${terminal.style('yellow', 'holdword mcp:')} ${error.message}\n`);
}

function portIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`--http: expected a port number from 0 to 65535, found "${text}".`);
}

function onCancel(text: string = DEFAULT_ON_CANCEL): (typeof ON_CANCEL)[number] {
  const choice = ON_CANCEL.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw new UsageError(`--on-cancel: expected ${ON_CANCEL.join(' or ')}, found "${text}".`);
}

/** MCP tasks, which need a folder: they are promised to survive this process. */
function tasksIn({ options }: CommandInput, folder: string | undefined): McpTaskOptions | undefined {
  const { 'task-ttl': ttl } = options;
  if (folder === undefined && ttl !== undefined) {
    throw new UsageError('--task-ttl: applies only to --data. Add --data DIR, or leave --task-ttl out.');
  }
  const seconds = parseLongDuration(ttl ?? DEFAULT_TASK_TTL, '--task-ttl') / 1000;
  if (seconds === 0) throw new UsageError('--task-ttl: expected more than 0, found "0": no host could poll.');
  return folder === undefined ? undefined : { folder: join(folder, 'mcp-tasks'), ttl: seconds };
}

/** How long a tool call waits for an agent, in seconds. */
function timeoutIn({ options }: CommandInput): number {
  const timeout = parseDuration(options['timeout'] ?? DEFAULT_TOOL_TIMEOUT, '--timeout') / 1000;
  if (timeout > 0) return timeout;
  throw new UsageError('--timeout: expected more than 0, found "0": no agent could answer.');
}

/** The tools, configured by the options. */
function openTools(agents: A2AAgents, timeout: number, input: CommandInput): A2ATools {
  const session = new A2ASession(agents, {
    ...storesIn(input),
    sendMessageTimeout: timeout,
    getTaskTimeout: timeout,
  });
  return new A2ATools(session, { extraTools: extraTools(input.options['extra-tools']) });
}

/** A result above the first limit goes to files, up to the second. */
function sizesIn({ options }: CommandInput): { maxResponseBytes: number; maxResultBytes: number } {
  const maxResponseBytes = parseSize(options['max-response'] ?? DEFAULT_MAX_RESPONSE, '--max-response');
  const maxResultBytes = parseSize(options['max-result'] ?? DEFAULT_MAX_RESULT, '--max-result');
  if (options['max-result'] !== undefined && maxResultBytes < maxResponseBytes) {
    throw new UsageError(
      `--max-result: expected at least --max-response (${options['max-response'] ?? DEFAULT_MAX_RESPONSE}), found "${options['max-result']}".`,
    );
  }
  return { maxResponseBytes, maxResultBytes };
}

function dataFolder({ options, workingFolder }: CommandInput): string | undefined {
  const { data } = options;
  return data === undefined ? undefined : resolve(workingFolder, data);
}

/** Refuses a folder that cannot be used now, not in the middle of a model's work. */
async function prepareData(folder: string): Promise<void> {
  try {
    await prepareTaskFolder(join(folder, 'tasks'));
  } catch (error) {
    throw new CommandError(
      `--data: the folder "${folder}" cannot be used. ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

function storesIn(input: CommandInput): A2ASessionOptions {
  const folder = dataFolder(input);
  const maxFileBytes = parseSize(input.options['max-file'] ?? DEFAULT_MAX_FILE, '--max-file');
  if (folder === undefined) return {};
  return {
    taskStore: new JSONTaskStore(join(folder, 'tasks')),
    fileStore: new LocalFileStore(join(folder, 'files'), {
      maxFileBytes,
      allow: input.repeated['allow'] ?? [],
    }),
  };
}

function extraTools(text: string | undefined): ExtraToolName[] {
  if (text === undefined) return [];
  if (text === 'all') return [...EXTRA_TOOL_NAMES];
  return text.split(',').map((each) => {
    const name = EXTRA_TOOL_NAMES.find((known) => known === each.trim());
    if (name !== undefined) return name;
    throw new UsageError(
      `--extra-tools: expected ${EXTRA_TOOL_NAMES.join(', ')} or all, found "${each.trim()}".`,
    );
  });
}
