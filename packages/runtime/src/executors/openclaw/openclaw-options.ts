import { randomBytes } from 'node:crypto';
import type { ThinkingLevel } from './thinking-levels.ts';

/** How an OpenClaw on this machine is called. Everything has a default. */
export interface OpenClawOptions {
  /** The session for messages without a context; `a2a-` and twelve random digits where absent. */
  sessionId?: string;
  /** One of `openclaw agents list`; OpenClaw's default agent where absent. */
  agentId?: string;
  thinking?: ThinkingLevel;
  /** Seconds until a turn is stopped and fails. */
  timeout?: number;
  openclawPath?: string;
  /** Where the command is run. Files it names there may be sent to callers. The server's own folder where absent. */
  workingDirectory?: string;
  /** Environment variables for the command, beside the usual ones. */
  envVars?: Readonly<Record<string, string>>;
  /** False: a caller that waits gets a message instead of a task. */
  asyncMode?: boolean;
  /** Where a gateway is found; see `findGateway` for what is looked at where this is absent. */
  gateway?: { readonly url?: string; readonly token?: string };
  /** Larger files of an answer are left out. */
  maxFileBytes?: number;
}

/** With everything decided that has a default. */
export type OpenClawSettings = OpenClawOptions &
  Required<
    Pick<
      OpenClawOptions,
      'sessionId' | 'thinking' | 'timeout' | 'openclawPath' | 'envVars' | 'asyncMode' | 'maxFileBytes'
    >
  >;

const DEFAULTS = {
  thinking: 'low',
  timeout: 300,
  openclawPath: 'openclaw',
  envVars: {},
  asyncMode: true,
  maxFileBytes: 8 * 1024 * 1024,
} as const;

export function openClawSettings(options: OpenClawOptions): OpenClawSettings {
  return { ...DEFAULTS, sessionId: `a2a-${randomBytes(6).toString('hex')}`, ...options };
}
