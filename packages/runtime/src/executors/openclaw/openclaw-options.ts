import { randomBytes } from 'node:crypto';
import type { ThinkingLevel } from './thinking-levels.ts';

/** Options of OpenClaw. All have defaults. */
export interface OpenClawOptions {
  /** The session for messages without a context; by default `a2a-` and 12 random hexadecimal digits. */
  sessionId?: string;
  /** Agent id, from `openclaw agents list`; by default OpenClaw's default agent. */
  agentId?: string;
  thinking?: ThinkingLevel;
  /** Time limit for a turn, in seconds. */
  timeout?: number;
  openclawPath?: string;
  /** Working directory of the command; the server's by default. If set, files in it may be sent to callers. */
  workingDirectory?: string;
  /** Environment variables for the command, in addition to the usual ones. */
  envVars?: Readonly<Record<string, string>>;
  /** If false, a client that waits gets a message instead of a task. */
  asyncMode?: boolean;
  /** The gateway; see `findGateway` for the defaults. */
  gateway?: { readonly url?: string; readonly token?: string };
  /** Size limit for a file in an answer; larger files are omitted. */
  maxFileBytes?: number;
}

/** The options with defaults filled in. */
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
