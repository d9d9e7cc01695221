import type { Store } from '@holdword/store';
import type { Log } from '../../log.ts';
import type { EnvironmentChoice } from '../child-process/child-environment.ts';
import type { CliProfile } from './profile.ts';

export interface CliAgentOptions {
  profile: CliProfile;
  /** Where running processes are recorded, so that the next start ends what a crash left behind. */
  processFolder: string;
  /** Remembers which session of the program belongs to which context. */
  sessions: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>;
  log?: Log;
  /** Where the program works: one folder for all, or a folder of its own for each context. The server's by default. */
  workingDirectory?: WorkingDirectory;
  /** Environment variables beside the usual ones and those the profile asks for. */
  environment?: EnvironmentChoice;
  /** A turn that takes longer is stopped and fails. */
  timeoutMilliseconds?: number;
  /** Time between the request to end and the end by force. */
  graceMilliseconds?: number;
  /** A program that prints more is stopped, and its turn fails. */
  maxOutputBytes?: number;
  /** Programs that run at once; further turns wait. */
  maxProcesses?: number;
}

export type WorkingDirectory = { readonly fixed: string } | { readonly perContextIn: string };

/** With everything decided. */
export type CliAgentSettings = Required<CliAgentOptions>;

const DEFAULTS = {
  timeoutMilliseconds: 300_000,
  graceMilliseconds: 2_000,
  maxOutputBytes: 16 * 1024 * 1024,
  maxProcesses: 16,
  environment: {},
} as const;

export function settingsOf(options: CliAgentOptions, log: Log): CliAgentSettings {
  return { ...DEFAULTS, workingDirectory: { fixed: process.cwd() }, log, ...options };
}
