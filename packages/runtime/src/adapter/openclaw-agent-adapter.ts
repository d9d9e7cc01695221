import { randomBytes } from 'node:crypto';
import type { AgentKind } from '../agents/agent-kind.ts';
import { openclaw } from '../agents/kinds/openclaw.ts';
import type { ThinkingLevel } from '../executors/openclaw/thinking-levels.ts';
import { splitOptions, type AdapterSetup } from './adapter-setup.ts';
import { AgentAdapter } from './agent-adapter.ts';

/** Every option has a default, and may be written with underscores (`session_id`). */
export interface OpenClawAdapterOptions extends AdapterSetup {
  /** The session for messages without a context; `a2a-` and twelve random digits by default. */
  sessionId?: string;
  session_id?: string;
  /** One of `openclaw agents list`; OpenClaw's default agent by default. */
  agentId?: string;
  agent_id?: string;
  /** `low` by default. */
  thinking?: ThinkingLevel;
  /** Seconds until a turn is stopped and fails; 300 by default. */
  timeout?: number;
  /** `openclaw` in the PATH by default. */
  openclawPath?: string;
  openclaw_path?: string;
  workingDirectory?: string;
  working_directory?: string;
  envVars?: Record<string, string>;
  env_vars?: Record<string, string>;
  /** Whether `handle` gives a task at once (the default) or waits for the message. */
  asyncMode?: boolean;
  async_mode?: boolean;
  task_store?: AdapterSetup['taskStore'];
  /** Which gateway to use; as OpenClaw is configured by default. */
  gateway?: { url?: string; tokenVariable?: string };
}

/** OpenClaw as an object of this program: by its gateway where one can be reached, else by its command. */
export class OpenClawAgentAdapter extends AgentAdapter {
  constructor(options?: OpenClawAdapterOptions);
  /** @internal */
  constructor(options: OpenClawAdapterOptions, kind: AgentKind);
  constructor(given: OpenClawAdapterOptions = {}, kind: AgentKind = openclaw) {
    const { setup, options } = splitOptions(given);
    const named = options['sessionId'] ?? options['session_id'];
    // The same session for all messages without a context: they are one conversation.
    const contextId = typeof named === 'string' ? named : `a2a-${randomBytes(6).toString('hex')}`;
    super({
      kind,
      setup,
      contextId,
      options: named === undefined ? { ...options, sessionId: contextId } : options,
    });
  }
}
