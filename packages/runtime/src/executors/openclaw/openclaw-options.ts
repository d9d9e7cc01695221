import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@holdword/store';
import type { AgentDescription } from '../../agent-description.ts';
import { DEFAULT_OPENCLAW_OPTIONS, DEFAULT_PROGRAM_OPTIONS } from '../../defaults.ts';
import type { Log } from '../../log.ts';

/** Options of OpenClaw. All have defaults. */
export interface OpenClawOptions {
  /** The session for messages without a context; by default each of them starts a new one. */
  sessionId?: string;
  /** Agent id, from `openclaw agents list`; by default OpenClaw's default agent. */
  agentId?: string;
  /** By default OpenClaw chooses it: from its configuration, or by the model. */
  thinking?: ThinkingLevel;
  /** Time limit for a turn, in seconds; Infinity for none. */
  timeout?: number;
  openclawPath?: string;
  /** Working directory of the command; the server's by default. If set, files in it may be sent to callers. */
  workingDirectory?: string;
  /** Environment variables for the command, in addition to the usual ones. */
  envVars?: Readonly<Record<string, string>>;
  /** Names of environment variables of the server for the command, in addition to those of OpenClaw and its providers. */
  passEnvironment?: readonly string[];
  /** If false, a client that waits gets a message instead of a task. */
  asyncMode?: boolean;
  /** The gateway; see `findGateway` for the defaults. */
  gateway?: { readonly url?: string; readonly token?: string };
  /** Size limit for the files of an answer; those that exceed it are omitted. */
  maxFileBytes?: number;
  /** Limit for what the command prints in a turn. */
  maxOutputBytes?: number;
}

/** The options with defaults filled in. */
export type OpenClawSettings = OpenClawOptions &
  Required<
    Pick<
      OpenClawOptions,
      | 'timeout'
      | 'openclawPath'
      | 'envVars'
      | 'passEnvironment'
      | 'asyncMode'
      | 'maxFileBytes'
      | 'maxOutputBytes'
    >
  >;

const DEFAULTS = {
  ...DEFAULT_OPENCLAW_OPTIONS,
  timeout: DEFAULT_PROGRAM_OPTIONS.timeoutMilliseconds / 1_000,
  maxOutputBytes: DEFAULT_PROGRAM_OPTIONS.maxOutputBytes,
  envVars: {},
  passEnvironment: [],
  asyncMode: true,
} as const;

export function openClawSettings(options: OpenClawOptions): OpenClawSettings {
  return { ...DEFAULTS, ...options };
}

/** OpenClaw's timeout is later than ours, so that ours is the one that is reported. */
const SPARE_SECONDS = 30;

/** The timeout to give to OpenClaw, in whole seconds. It reads 0 as none, and shortens what its timers cannot do. */
export function openClawDeadline(timeout: number): number {
  const seconds = Math.ceil(timeout) + SPARE_SECONDS;
  return Number.isSafeInteger(seconds * 1_000) ? seconds : 0;
}

/** What an OpenClaw agent needs from the server that runs it. */
export interface OpenClawDependencies {
  /** Where its processes are recorded. */
  readonly processFolder: string;
  /** Stores what must survive a restart: the session of each context, and the runs in progress. */
  readonly sessions: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>;
  readonly log?: Log;
}

/** The default card, which the operator can override. */
export const OPENCLAW_CARD: AgentDescription = {
  name: 'OpenClaw',
  description: 'A personal assistant that works with the tools and files of its machine, run by OpenClaw.',
  defaultInputModes: ['text/plain', 'application/json', '*/*'],
  defaultOutputModes: ['text/plain', 'application/octet-stream'],
  skills: [
    {
      id: 'assist',
      name: 'Assist',
      description:
        'Answers, researches, writes, and works with files. It remembers the conversation of a context.',
      tags: ['assistant', 'openclaw'],
      examples: ['Summarise what is in your workspace.'],
    },
  ],
};

/** The levels that `openclaw agent --thinking` accepts; older versions accept the first six. */
export const THINKING_LEVELS = [
  'off',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'adaptive',
  'max',
  'ultra',
] as const;

/** How long OpenClaw lets its model think. */
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];

/** The state folder of OpenClaw, from the same variables that OpenClaw reads. */
export function openClawStateFolder(environment: NodeJS.ProcessEnv): string {
  const { OPENCLAW_STATE_DIR: given, HOME: home = homedir() } = environment;
  return given || join(home, '.openclaw');
}

/**
 * Folders whose files OpenClaw may send, in addition to its workspace. Of its state, only the media: the rest contains keys
 * and conversations.
 */
export function openClawFileFolders({ envVars, workingDirectory }: OpenClawSettings): string[] {
  const media = join(openClawStateFolder({ ...process.env, ...envVars }), 'media');
  return workingDirectory === undefined ? [media] : [workingDirectory, media];
}
