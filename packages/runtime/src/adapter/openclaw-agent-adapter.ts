import { randomBytes } from 'node:crypto';
import type { AgentKind } from '../agents/agent-kind.ts';
import { readOptions } from '../agents/agent-options.ts';
import { openclaw } from '../agents/agent-kinds.ts';
import { DEFAULT_ADAPTER_THINKING } from '../defaults.ts';
import type { ThinkingLevel } from '../executors/openclaw/openclaw-options.ts';
import { type AdapterSetup, splitOptions } from './adapter-setup.ts';
import { AgentAdapter } from './agent-adapter.ts';

/** Options of OpenClaw. All are optional, and all can be written with underscores (`session_id`). */
export interface OpenClawAdapterOptions extends AdapterSetup {
  /**
   * The session for messages without a context, also of callers if the agent is served.
   *
   * @default `a2a-` and 12 random hexadecimal digits for `handle`; a new session for each message of callers
   */
  sessionId?: string;
  session_id?: string;
  /**
   * Agent id, from `openclaw agents list`.
   *
   * @default the default agent of OpenClaw
   */
  agentId?: string;
  agent_id?: string;
  /** @default 'low' */
  thinking?: ThinkingLevel;
  /**
   * Time limit for a turn, in seconds; Infinity or null for none. A turn that takes longer is stopped and fails.
   *
   * @default 300
   */
  timeout?: number | null;
  /**
   * The `openclaw` command. If this, `workingDirectory`, `envVars` or `passEnvironment` is set, the command is run even if a
   * gateway is reachable, because a gateway cannot honour them.
   *
   * @default 'openclaw', looked up in PATH
   */
  openclawPath?: string;
  openclaw_path?: string;
  /**
   * The working directory of the command. Files in it may be sent to callers.
   *
   * @default the working directory of this process
   */
  workingDirectory?: string;
  working_directory?: string;
  /** Environment variables to set for the command. */
  envVars?: Record<string, string>;
  env_vars?: Record<string, string>;
  /**
   * Names of environment variables of this process to pass to the command, in addition to those of OpenClaw and its model
   * providers. `MY_*` matches all that start with `MY_`.
   *
   * @default []
   */
  passEnvironment?: string[];
  pass_environment?: string[];
  /**
   * Whether `handle` returns a task at once. If false, it waits and returns the agent's message.
   *
   * @default true
   */
  asyncMode?: boolean;
  async_mode?: boolean;
  task_store?: AdapterSetup['taskStore'];
  /**
   * The gateway to connect to. `tokenVariable` names the environment variable that holds its token.
   *
   * @default from the configuration of OpenClaw
   */
  gateway?: { url?: string; tokenVariable?: string };
  /**
   * Size limit for the files of an answer, in bytes; those that exceed it are omitted.
   *
   * @default 8388608 (8 MiB)
   */
  maxFileBytes?: number;
  max_file_bytes?: number;
  /**
   * Limit for what the command prints in a turn, in bytes. A command that prints more is stopped.
   *
   * @default 16777216 (16 MiB)
   */
  maxOutputBytes?: number;
  max_output_bytes?: number;
}

/**
 * OpenClaw as an object of this program: via its gateway if reachable, otherwise the `openclaw` command.
 *
 * @example
 * ```ts
 * const openclaw = new OpenClawAgentAdapter({ agentId: 'main', asyncMode: false });
 * const answer = await openclaw.handle('What is on my calendar today?');
 * await openclaw.close();
 * ```
 */
export class OpenClawAgentAdapter extends AgentAdapter {
  /** @throws AgentOptionsError if an option is unknown or invalid. */
  constructor(options?: OpenClawAdapterOptions);
  /** @internal */
  constructor(options: OpenClawAdapterOptions, kind: AgentKind);
  constructor(given: OpenClawAdapterOptions = {}, kind: AgentKind = openclaw) {
    const { setup, options: agentOptions } = splitOptions(given);
    const options = { ...agentOptions, thinking: agentOptions['thinking'] ?? DEFAULT_ADAPTER_THINKING };
    // OpenClaw starts with the first call, but a mistake is reported where it was made.
    readOptions(kind, options);
    const named = agentOptions['sessionId'] ?? agentOptions['session_id'];
    super({
      kind,
      setup,
      // All messages of this program without a context share one session: they are one conversation.
      contextId: typeof named === 'string' ? named : randomBytes(6).toString('hex'),
      options,
    });
  }
}
