import type { Store } from '@holdword/store';
import { DEFAULT_PROGRAM_OPTIONS } from '../../defaults.ts';
import type { Log } from '../../log.ts';
import type { EnvironmentChoice } from '../child-process/child-environment.ts';
import type { WorkingDirectory } from '../cli-agent/cli-agent-options.ts';
import type { PermissionPolicy } from './permissions.ts';

export interface AcpAgentOptions {
  /** The command that speaks ACP over stdin and stdout; split into words without a shell. */
  command: string;
  /** Where running processes are recorded, so that the next start can end those that a crash left running. */
  processFolder: string;
  /** Stores which session of the agent belongs to which context. */
  sessions: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>;
  log?: Log;
  /** The working directory: one folder for all contexts, or one for each. The server's by default. */
  workingDirectory?: WorkingDirectory;
  /** Environment variables in addition to the usual ones. */
  environment?: EnvironmentChoice;
  /** What to do when the agent asks for permission; refused by default. */
  permissions?: PermissionPolicy;
  /** Time limit for a turn, which is stopped and fails when it takes longer. */
  timeoutMilliseconds?: number;
  /** Time limit for the start of the agent. */
  startMilliseconds?: number;
  /** Time between the request to end and SIGKILL. */
  graceMilliseconds?: number;
  /** Limit for the output of a turn, which is stopped and fails when it writes more. */
  maxOutputBytes?: number;
}

/** The options with defaults filled in. */
export type AcpSettings = Required<AcpAgentOptions>;

const { maxProcesses: _one, ...PROGRAM_DEFAULTS } = DEFAULT_PROGRAM_OPTIONS;

const DEFAULTS = {
  ...PROGRAM_DEFAULTS,
  permissions: { otherwise: 'refuse' },
  startMilliseconds: 60_000,
  environment: {},
} as const;

export function acpSettings(options: AcpAgentOptions, log: Log): AcpSettings {
  return { ...DEFAULTS, workingDirectory: { fixed: process.cwd() }, log, ...options };
}
