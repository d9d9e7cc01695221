import { checkArgument, hasMethods } from '@holdword/protocol/internal';
import type { Store } from '@holdword/store';
import { z } from 'zod';
import { DEFAULT_PROGRAM_OPTIONS } from '../../defaults.ts';
import { type Log, noopLog } from '../../log.ts';
import type { EnvironmentChoice } from '../child-process/child-environment.ts';
import type { CliProfile } from './profile.ts';

/** Options of a command-line agent. */
export interface CliAgentOptions {
  /** How the program is called and its output is read. */
  profile: CliProfile;
  /** Where running processes are recorded, so that the next start can end those that a crash left running. */
  processFolder: string;
  /** Stores which session of the program belongs to which context. */
  sessions: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord'>;
  /** @default no log */
  log?: Log;
  /**
   * The working directory: one folder for all contexts, or one for each.
   *
   * @default the working directory of this process
   */
  workingDirectory?: WorkingDirectory;
  /** Environment variables in addition to the usual ones and those of the profile. */
  environment?: EnvironmentChoice;
  /**
   * Time limit for a turn; Infinity for none. A turn that takes longer is stopped and fails.
   *
   * @default 300000
   */
  timeoutMilliseconds?: number;
  /**
   * Time between SIGTERM and SIGKILL.
   *
   * @default 2000
   */
  graceMilliseconds?: number;
  /**
   * Limit for the output of a turn. A program that prints more is stopped, and its turn fails.
   *
   * @default 16777216 (16 MiB)
   */
  maxOutputBytes?: number;
  /**
   * How many processes run at once; further turns wait.
   *
   * @default 16
   */
  maxProcesses?: number;
}

/** One folder for all contexts, or a parent folder in which each context gets its own. */
export type WorkingDirectory = { readonly fixed: string } | { readonly perContextIn: string };

/** The options with defaults filled in. */
export type CliAgentSettings = Required<CliAgentOptions>;

const count = z.int().min(1).optional();

/** What a program in JavaScript gets wrong most easily. */
const optionsSchema = z.looseObject({
  profile: z.custom<CliProfile>(
    (value) => hasMethods(value, 'command', 'reader'),
    "expected a profile, such as execProfile({ command: 'wc -w' })",
  ),
  processFolder: z.string().min(1),
  sessions: z.custom<CliAgentOptions['sessions']>(
    (value) => hasMethods(value, 'getRecord', 'putRecord', 'deleteRecord'),
    'expected a store, such as openMemoryStore()',
  ),
  timeoutMilliseconds: z
    .custom<number>(
      (value) => typeof value === 'number' && value > 0,
      'expected a number above 0, or Infinity',
    )
    .optional(),
  graceMilliseconds: z.number().min(0).optional(),
  maxOutputBytes: count,
  maxProcesses: count,
});

/** Throws a TypeError if an option is not what it should be. */
export function settingsOf(options: CliAgentOptions): CliAgentSettings {
  checkArgument('CliAgent.open({ profile, processFolder, sessions })', optionsSchema, options);
  return {
    ...DEFAULT_PROGRAM_OPTIONS,
    environment: {},
    workingDirectory: { fixed: process.cwd() },
    log: noopLog,
    ...options,
  };
}
