import { z } from 'zod';
import { DEFAULT_OPENAI_OPTIONS, DEFAULT_OPENCLAW_OPTIONS } from '../defaults.ts';
import { TOOL_KINDS } from '../executors/acp/permissions.ts';
import type { CliProfile } from '../executors/cli-agent/profile.ts';
import { programProblem } from '../executors/child-process/find-program.ts';
import { AgentOptionsError } from '../executors/executor-errors.ts';
import { type OpenClawOptions, THINKING_LEVELS } from '../executors/openclaw/openclaw-options.ts';
import { errorReason } from '../log.ts';
import { flag, integer, listOf, settings, text } from '../settings.ts';
import { defineAgent, type AgentKind, type AgentServer, type OpenedAgent } from './agent-kind.ts';
import {
  codingAgentOptions,
  processOptions,
  processSettings,
  programOptions,
  requireFolder,
  secondsOf,
  sharedOptions,
  type ProcessOptions,
  type TimeoutOption,
} from './agent-options.ts';

/** Options of OpenClaw with every transport. */
const openClawOptions = {
  ...sharedOptions,
  sessionId: text
    .regex(
      /^[a-z0-9][a-z0-9_-]{0,63}$/,
      'expected up to 64 characters of a-z, 0-9, _ and -, starting with a letter or digit',
    )
    .exactOptional()
    .describe('Session for messages without a context.')
    .register(settings, { defaultText: 'a new one for each of them' }),
  agentId: text
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
      'expected up to 64 letters, digits, _ and -, starting with a letter or digit',
    )
    .exactOptional()
    .describe('Agent id, from `openclaw agents list`.')
    .register(settings, { defaultText: 'the default agent' }),
  thinking: z
    .enum(THINKING_LEVELS, { error: `expected one of ${THINKING_LEVELS.join(', ')}` })
    .exactOptional()
    .describe('Thinking level of the model.')
    .register(settings, { defaultText: 'chosen by OpenClaw' }),
  maxFileBytes: integer('a number of bytes', 1, 1_073_741_824)
    .default(DEFAULT_OPENCLAW_OPTIONS.maxFileBytes)
    .describe('Size limit for the files of an answer; those that exceed it are omitted.'),
};

/** Options of the `openclaw` command. A gateway has a program, a folder and an environment of its own. */
const openClawCommandOptions = {
  openclawPath: text
    .default(DEFAULT_OPENCLAW_OPTIONS.openclawPath)
    .describe('Path of the program, or its name to look up in PATH.'),
  workingDirectory: processOptions.workingDirectory,
  envVars: processOptions.envVars,
  passEnvironment: processOptions.passEnvironment,
  maxOutputBytes: processOptions.maxOutputBytes,
};

const gatewayOption = {
  gateway: z
    .strictObject(
      {
        url: z
          .url({ protocol: /^wss?$/, error: 'expected a ws:// or wss:// URL' })
          .exactOptional()
          .describe('URL of the gateway.')
          .register(settings, { defaultText: 'from the configuration of OpenClaw' }),
        tokenVariable: text
          .exactOptional()
          .describe('Name of the environment variable that holds its token.')
          .register(settings, { defaultText: 'OPENCLAW_GATEWAY_TOKEN' }),
      },
      { error: 'expected an object' },
    )
    .exactOptional()
    .describe('The gateway to connect to.'),
};

interface GivenGateway {
  url?: string;
  tokenVariable?: string;
}

/** Replaces the name of the token's variable with the token, as the executors of OpenClaw expect. */
function withToken(gateway: GivenGateway | undefined): Pick<OpenClawOptions, 'gateway'> {
  if (gateway === undefined) return {};
  const { tokenVariable, ...address } = gateway;
  if (tokenVariable === undefined) return { gateway: address };
  const token = process.env[tokenVariable];
  if (token) return { gateway: { ...address, token } };
  throw new AgentOptionsError(
    `The environment variable ${tokenVariable} for the token of the gateway is not set. Set it, or name another one in gateway.tokenVariable.`,
  );
}

/** The options that are given, of those that only the `openclaw` command can honour. */
function commandOptionsIn(options: {
  openclawPath: string;
  workingDirectory?: string;
  envVars: Record<string, string>;
  passEnvironment: string[];
}): string[] {
  const { openclawPath, workingDirectory, envVars, passEnvironment } = options;
  const given = {
    openclawPath: openclawPath !== DEFAULT_OPENCLAW_OPTIONS.openclawPath,
    workingDirectory: workingDirectory !== undefined,
    envVars: Object.keys(envVars).length > 0,
    passEnvironment: passEnvironment.length > 0,
  };
  return Object.entries(given).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
}

export const openclaw = defineAgent({
  name: 'openclaw',
  summary: 'OpenClaw, via its gateway if reachable, otherwise the `openclaw` command',
  options: z.strictObject({ ...openClawOptions, ...openClawCommandOptions, ...gatewayOption }),
  async open(options, server) {
    const { gateway, ...others } = options;
    const ofCommand = commandOptionsIn(options);
    if (ofCommand.length > 0) {
      if (gateway !== undefined) throw gatewayAndCommand(ofCommand);
      server.log.info('Using OpenClaw via its command, because a gateway cannot honour these options.', {
        options: ofCommand.join(', '),
      });
      return { ...(await openCommand(others, server)), transport: 'command line' };
    }
    const { OpenClawAgent } = await import('../executors/openclaw/index.ts');
    const timeout = secondsOf(options.timeout);
    const executor = await OpenClawAgent.open({ ...others, ...withToken(gateway), timeout }, server);
    return {
      executor,
      transport: executor.transport === 'gateway' ? 'gateway' : 'command line',
      problem: async () => {
        const problem = await executor.gatewayProblem();
        // Without a gateway, turns run the command.
        return executor.transport === 'gateway' ? problem : missingProgram(options.openclawPath, options);
      },
    };
  },
});

function gatewayAndCommand(ofCommand: readonly string[]): AgentOptionsError {
  return new AgentOptionsError(
    `The option gateway of agent openclaw excludes ${ofCommand.join(', ')}: a gateway does not run the openclaw ` +
      'command. Remove gateway, to run the command with these options, or remove the others.',
  );
}

const openclawCli = defineAgent({
  name: 'openclaw-cli',
  summary: 'OpenClaw, via the `openclaw` command only',
  options: z.strictObject({ ...openClawOptions, ...openClawCommandOptions }),
  open: (options, server) => openCommand(options, server),
});

async function openCommand(
  { timeout, ...options }: Omit<OpenClawOptions, 'timeout' | 'gateway'> & { timeout: TimeoutOption },
  server: AgentServer,
): Promise<OpenedAgent> {
  const { openOpenClawCli } = await import('../executors/openclaw/index.ts');
  if (options.workingDirectory !== undefined) requireFolder(options.workingDirectory);
  return {
    executor: await openOpenClawCli({ ...options, timeout: secondsOf(timeout) }, server),
    problem: async () =>
      missingProgram(options.openclawPath ?? DEFAULT_OPENCLAW_OPTIONS.openclawPath, options),
  };
}

const openclawGateway = defineAgent({
  name: 'openclaw-gateway',
  summary: 'OpenClaw, via its gateway only',
  options: z.strictObject({ ...openClawOptions, ...gatewayOption }),
  async open({ gateway, timeout, ...options }, server) {
    const { OpenClawGatewayAgent } = await import('../executors/openclaw/index.ts');
    const given = { ...options, ...withToken(gateway), timeout: secondsOf(timeout) };
    const executor = new OpenClawGatewayAgent(given, server);
    return {
      executor,
      problem: async () => {
        const problem = await executor.problem();
        return problem === undefined ? undefined : errorReason(problem);
      },
    };
  },
});

export const claudeCode = defineAgent({
  name: 'claude-code',
  summary: 'Claude Code, via the `claude` command',
  options: z.strictObject({
    ...codingAgentOptions('claude'),
    permissionMode: text
      .exactOptional()
      .describe('Value for its --permission-mode: what it may do without asking.'),
  }),
  async open(options, server) {
    const { claudeCodeProfile } = await import('../executors/cli-agent/profiles/claude-code.ts');
    return openProgram(options.program ?? 'claude', claudeCodeProfile(options), options, server);
  },
});

const codex = defineAgent({
  name: 'codex',
  summary: 'Codex, via the `codex` command',
  options: z.strictObject({
    ...codingAgentOptions('codex'),
    sandbox: text.exactOptional().describe('Value for its --sandbox: what its commands may access.'),
  }),
  async open(options, server) {
    const { codexProfile } = await import('../executors/cli-agent/profiles/codex.ts');
    return openProgram(options.program ?? 'codex', codexProfile(options), options, server);
  },
});

const gemini = defineAgent({
  name: 'gemini',
  summary: 'Gemini CLI, via the `gemini` command',
  options: z.strictObject({
    ...codingAgentOptions('gemini'),
    approvalMode: text
      .exactOptional()
      .describe('Value for its --approval-mode: what it may do without asking.'),
  }),
  async open(options, server) {
    const { geminiProfile } = await import('../executors/cli-agent/profiles/gemini.ts');
    return openProgram(options.program ?? 'gemini', geminiProfile(options), options, server);
  },
});

const openai = defineAgent({
  name: 'openai',
  summary: 'a model behind an OpenAI-compatible API: openai:MODEL',
  mainOption: 'model',
  options: z.strictObject({
    ...sharedOptions,
    model: text.describe('Name of the model, as the API knows it.'),
    baseUrl: z
      .url({ protocol: /^https?$/, error: 'expected an http:// or https:// URL' })
      .default(DEFAULT_OPENAI_OPTIONS.baseUrl)
      .describe('Base URL of the API, to which /chat/completions is added.'),
    apiKeyVariable: text
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable')
      .exactOptional()
      .describe('Name of the environment variable that holds the API key.')
      .register(settings, { defaultText: 'OPENAI_API_KEY, if it is set' }),
    systemPrompt: text.exactOptional().describe('System prompt of every conversation.'),
    temperature: z
      .number({ error: 'expected a number' })
      .min(0, 'expected a number from 0 to 2')
      .max(2, 'expected a number from 0 to 2')
      .exactOptional()
      .describe('Sampling temperature.')
      .register(settings, { defaultText: 'chosen by the API' }),
    maxHistory: integer('a number of messages', 0, 100)
      .default(DEFAULT_OPENAI_OPTIONS.maxHistory)
      .describe('How many earlier messages of the context to send to the model.'),
    images: flag.default(DEFAULT_OPENAI_OPTIONS.images).describe('Whether the model accepts images.'),
  }),
  async open({ timeout, asyncMode: _asyncMode, ...options }, { log }) {
    const { OpenAiAgent } = await import('../executors/openai/openai-agent.ts');
    const timeoutMilliseconds = secondsOf(timeout) * 1_000;
    const executor = new OpenAiAgent({ ...options, timeoutMilliseconds, log });
    return { executor, problem: async () => executor.problem };
  },
});

const DECISIONS = ['refuse', 'ask', 'allow'] as const;

const acp = defineAgent({
  name: 'acp',
  summary: 'any agent that speaks the Agent Client Protocol: acp:"COMMAND"',
  mainOption: 'command',
  options: z.strictObject({
    ...processOptions,
    command: text.describe('Command that speaks ACP over stdin and stdout. It is not run in a shell.'),
    permissions: z
      .enum(DECISIONS, { error: `expected one of ${DECISIONS.join(', ')}` })
      .default('refuse')
      .describe('What to do when the agent asks for permission.'),
    allowedTools: listOf(z.enum(TOOL_KINDS, { error: `expected one of ${TOOL_KINDS.join(', ')}` }))
      .default([])
      .describe('Kinds of tools that are always allowed.'),
  }),
  async open(options, server) {
    const { AcpAgent } = await import('../executors/acp/acp-agent.ts');
    const { splitCommandLine } = await import('../executors/cli-agent/profiles/exec.ts');
    const { command, permissions: otherwise, allowedTools: allow } = options;
    const executor = await AcpAgent.open({
      ...server,
      ...processSettings(options),
      command,
      permissions: { allow, otherwise },
    });
    const [program = ''] = splitCommandLine(command);
    return { executor, problem: async () => missingProgram(program, options) };
  },
});

const exec = defineAgent({
  name: 'exec',
  summary: 'any command: exec:"COMMAND {prompt}", or exec:"COMMAND" to get the message on stdin',
  mainOption: 'command',
  options: z.strictObject({
    ...programOptions,
    command: text.describe(
      'Command and arguments, not run in a shell. {prompt} is replaced by the message; without it, the message is passed on stdin.',
    ),
    stream: flag.default(false).describe('Whether output is streamed while it is printed.'),
  }),
  async open(options, server) {
    const { execProfile, splitCommandLine } = await import('../executors/cli-agent/profiles/exec.ts');
    const [program = ''] = splitCommandLine(options.command);
    return openProgram(program, execProfile(options), options, server);
  },
});

/** Opens an agent that runs one process per turn. Programs are loaded only if one is served. */
async function openProgram(
  program: string,
  profile: CliProfile,
  options: ProcessOptions & { maxProcesses: number },
  server: AgentServer,
): Promise<OpenedAgent> {
  const { CliAgent } = await import('../executors/cli-agent/cli-agent.ts');
  const executor = await CliAgent.open({
    ...server,
    ...processSettings(options),
    maxProcesses: options.maxProcesses,
    profile,
  });
  return { executor, problem: async () => missingProgram(program, options) };
}

/** Why the program of an agent cannot be started. Undefined if it can. */
function missingProgram(
  file: string,
  {
    envVars = {},
    workingDirectory = process.cwd(),
  }: Partial<Pick<ProcessOptions, 'envVars' | 'workingDirectory'>>,
): string | undefined {
  return programProblem({ file, path: envVars['PATH'] ?? process.env['PATH'], workingDirectory });
}

/** All agents that Holdword can serve by name. */
export const AGENT_KINDS: readonly AgentKind[] = [
  openclaw,
  openclawCli,
  openclawGateway,
  claudeCode,
  codex,
  gemini,
  openai,
  acp,
  exec,
];

/** An agent by name, with the option that followed its name. */
interface NamedAgent {
  readonly kind: AgentKind;
  readonly options: Readonly<Record<string, string>>;
}

/** Parses `openclaw` or `exec:wc -w`. Returns undefined for other names. */
export function findAgentKind(given: string): NamedAgent | undefined {
  const colon = given.indexOf(':');
  const name = colon === -1 ? given : given.slice(0, colon);
  const kind = AGENT_KINDS.find((each) => each.name === name);
  if (kind === undefined) return undefined;
  if (colon === -1) return { kind, options: {} };
  if (kind.mainOption === undefined) return undefined;
  return { kind, options: { [kind.mainOption]: given.slice(colon + 1) } };
}
