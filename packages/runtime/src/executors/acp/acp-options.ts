import type { Store } from '@holdword/store';
import type { Log } from '../../log.ts';
import type { EnvironmentChoice } from '../child-process/child-environment.ts';
import type { WorkingDirectory } from '../cli-agent/cli-agent-options.ts';
import type { PermissionPolicy } from './permission-policy.ts';

export interface AcpAgentOptions {
  /** The command that speaks ACP over its standard input and output, split into words without a shell. */
  command: string;
  /** Where running processes are recorded, so that the next start ends what a crash left behind. */
  processFolder: string;
  /** Remembers which session of the agent belongs to which context. */
  sessions: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>;
  log?: Log;
  /** Where the agent works: one folder for all, or a folder of its own for each context. The server's by default. */
  workingDirectory?: WorkingDirectory;
  /** Environment variables beside the usual ones. */
  environment?: EnvironmentChoice;
  /** What happens when the agent asks whether it may do something; by default it may not. */
  permissions?: PermissionPolicy;
  /** A turn that takes longer is stopped and fails. */
  timeoutMilliseconds?: number;
  /** An agent that is not ready by then is stopped. */
  startMilliseconds?: number;
  /** Time between the request to end and the end by force. */
  graceMilliseconds?: number;
  /** A turn whose answer is longer is stopped and fails. */
  maxOutputBytes?: number;
}

/** With everything decided. */
export type AcpSettings = Required<AcpAgentOptions>;

const DEFAULTS = {
  permissions: { otherwise: 'refuse' },
  timeoutMilliseconds: 300_000,
  startMilliseconds: 60_000,
  graceMilliseconds: 2_000,
  maxOutputBytes: 16 * 1024 * 1024,
  environment: {},
} as const;

export function acpSettings(options: AcpAgentOptions, log: Log): AcpSettings {
  return { ...DEFAULTS, workingDirectory: { fixed: process.cwd() }, log, ...options };
}
