import { statSync } from 'node:fs';
import { nearestName, shorten } from '@holdword/protocol/internal';
import { z } from 'zod';
import { DEFAULT_PROGRAM_OPTIONS } from '../defaults.ts';
import type { EnvironmentChoice } from '../executors/child-process/child-environment.ts';
import type { WorkingDirectory } from '../executors/cli-agent/cli-agent-options.ts';
import { valueAt } from '../executors/json-value.ts';
import { AgentOptionsError } from '../executors/executor-errors.ts';
import { flag, integer, listOf, path, settings, text } from '../settings.ts';

/** JSON has no infinity. */
const NO_TIMEOUT = 'none';
const SECONDS = `expected a number of seconds above 0, or "${NO_TIMEOUT}"`;

/** Options of every agent. */
export const sharedOptions = {
  timeout: z
    .union([z.number().positive(SECONDS), z.literal(NO_TIMEOUT)], { error: SECONDS })
    .default(DEFAULT_PROGRAM_OPTIONS.timeoutMilliseconds / 1_000)
    .describe(
      `Time limit for a turn, in seconds, or "${NO_TIMEOUT}". A turn that takes longer is stopped and fails.`,
    ),
  asyncMode: flag
    .default(true)
    .describe('Whether every message becomes a task. If false, a client that waits gets a message instead.'),
};

const VARIABLES = 'expected an object of strings whose names are not empty and contain no "="';
const variableName = z.string().regex(/^[^=\0]+$/);

/** Options of agents that are programs on this machine. */
export const processOptions = {
  ...sharedOptions,
  workingDirectory: path
    .exactOptional()
    .describe('Working directory of the program.')
    .register(settings, { defaultText: 'the working directory of the server' }),
  directoryPerContext: flag
    .default(false)
    .describe('Whether each context gets a subfolder of the working directory.'),
  envVars: z
    .record(variableName, z.string({ error: 'expected a string' }), { error: VARIABLES })
    .default({})
    .describe(
      'Environment variables to set for the program. Pass keys and tokens with passEnvironment instead.',
    ),
  passEnvironment: listOf(text)
    .default([])
    .describe(
      'Names of environment variables of the server to pass to the program. `MY_*` matches all that start with `MY_`.',
    ),
  maxOutputBytes: integer('a number of bytes', 1024, 1_073_741_824)
    .default(DEFAULT_PROGRAM_OPTIONS.maxOutputBytes)
    .describe('Limit for the output of a turn. A program that prints more is stopped.'),
};

/** Options of agents that run one process per turn. */
export const programOptions = {
  ...processOptions,
  maxProcesses: integer('a number of programs', 1, 1_000)
    .default(DEFAULT_PROGRAM_OPTIONS.maxProcesses)
    .describe('How many processes run at once; further turns wait.'),
};

/** Options of coding agents. */
export function codingAgentOptions(program: string) {
  return {
    ...programOptions,
    program: text
      .exactOptional()
      .describe('Path of the program.')
      .register(settings, { defaultText: `${program}, looked up in PATH` }),
    model: text
      .exactOptional()
      .describe('Model to use.')
      .register(settings, { defaultText: 'chosen by the program' }),
    arguments: listOf(text).default([]).describe('Additional arguments, passed on unchanged.'),
  };
}

/** The part of an agent kind that its options are validated against. */
interface OptionsOwner<Options> {
  readonly name: string;
  readonly options: z.ZodObject & z.ZodType<Options>;
  readonly mainOption?: string;
}

/**
 * Validates the options of an agent. Names with underscores (`session_id`) are accepted as well, and null counts as absent,
 * except for `timeout`, where it means no limit.
 *
 * @throws AgentOptionsError that names the option, what was expected and what was found.
 */
export function readOptions<Options>(
  agent: OptionsOwner<Options>,
  given: Readonly<Record<string, unknown>>,
): Options {
  const valid = Object.keys(agent.options.shape);
  const options: Record<string, unknown> = {};
  for (const [name, { value, spelling }] of givenOptions(given, `of agent ${agent.name} `)) {
    if (!valid.includes(name)) throw unknownOption(agent.name, spelling, valid);
    options[name] = name === 'timeout' && value === Infinity ? NO_TIMEOUT : value;
  }
  // In Python, a timeout of None means none.
  if (valid.includes('timeout') && given['timeout'] === null) options['timeout'] = NO_TIMEOUT;
  const result = agent.options.safeParse(options);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const names = (issue?.path ?? []).map(String);
  const [name = ''] = names;
  if (options[name] === undefined) throw missingOption(agent, name);
  const isKey = issue?.code === 'invalid_key';
  const where = (isKey ? names.slice(0, -1) : names).join('.').replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
  const value = valueAt(options, ...names);
  // One of a few words: a wrong one is a slip, not a secret.
  const isWord = issue?.code === 'invalid_value' && typeof value === 'string';
  const found = isKey ? quoted(names.at(-1)) : isWord ? quoted(value) : kindOf(value);
  throw new AgentOptionsError(
    `Invalid option ${where} of agent ${agent.name}: ${issue?.message}, found ${found}.`,
  );
}

const LONGEST_QUOTED = 40;

function quoted(word = ''): string {
  return JSON.stringify(shorten(word, LONGEST_QUOTED));
}

/**
 * Options by their names in camelCase, without those that are null or undefined. `whose` completes the error for one that
 * is given in two spellings.
 */
export function givenOptions(
  given: Readonly<Record<string, unknown>>,
  whose = '',
): Map<string, { readonly value: unknown; readonly spelling: string }> {
  const options = new Map<string, { value: unknown; spelling: string }>();
  for (const [spelling, value] of Object.entries(given)) {
    if (value === undefined || value === null) continue;
    const name = toCamelCase(spelling);
    const other = options.get(name)?.spelling;
    if (other !== undefined) {
      throw new AgentOptionsError(
        `The option ${name} ${whose}is given twice, as ${other} and as ${spelling}. Remove one of them.`,
      );
    }
    options.set(name, { value, spelling });
  }
  return options;
}

/** Describes a value. A string is not repeated: it may be a secret in the wrong option. */
function kindOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** `session_id` as `sessionId`. */
export function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function missingOption(agent: OptionsOwner<unknown>, option: string): AgentOptionsError {
  const key = `agentOptions.${agent.name}.${option}`;
  const short = `write ${agent.name}:"${option.toUpperCase()}", or set the option (${key} in the configuration file)`;
  return new AgentOptionsError(
    `Agent ${agent.name} needs the option ${option}${option === agent.mainOption ? `: ${short}.` : '.'}`,
  );
}

function unknownOption(agent: string, name: string, valid: readonly string[]): AgentOptionsError {
  const nearest = nearestName(toCamelCase(name), valid);
  return new AgentOptionsError(
    `Unknown option "${name}" of agent ${agent}. ` +
      (nearest === undefined ? `Valid options are ${valid.join(', ')}.` : `Did you mean "${nearest}"?`),
  );
}

/** The time limit of a turn, once validated. */
export type TimeoutOption = number | typeof NO_TIMEOUT;

export function secondsOf(timeout: TimeoutOption): number {
  return timeout === NO_TIMEOUT ? Infinity : timeout;
}

/** The options of a program, once validated. */
export interface ProcessOptions {
  timeout: TimeoutOption;
  workingDirectory?: string;
  directoryPerContext: boolean;
  envVars: Record<string, string>;
  passEnvironment: string[];
  maxOutputBytes: number;
}

interface ProcessSettings {
  timeoutMilliseconds: number;
  workingDirectory: WorkingDirectory;
  environment: EnvironmentChoice;
  maxOutputBytes: number;
}

/** Converts the options of a program to those of its executor. */
export function processSettings(options: ProcessOptions): ProcessSettings {
  const { timeout, maxOutputBytes, envVars: values, passEnvironment: names } = options;
  const { workingDirectory: folder = process.cwd(), directoryPerContext } = options;
  return {
    environment: { names, values },
    timeoutMilliseconds: secondsOf(timeout) * 1_000,
    maxOutputBytes,
    workingDirectory: directoryPerContext ? { perContextIn: folder } : { fixed: requireFolder(folder) },
  };
}

/** Rejects options whose working directory is missing, unless it is made for each context. */
export function checkFolder(options: object): void {
  const { workingDirectory, directoryPerContext } = options as Partial<ProcessOptions>;
  if (workingDirectory !== undefined && directoryPerContext !== true) requireFolder(workingDirectory);
}

/** Rejects a working directory that is missing now: otherwise each task would fail. */
export function requireFolder(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new AgentOptionsError(
    `The option workingDirectory names ${folder}, which is not a folder. Create it, or name another.`,
  );
}
