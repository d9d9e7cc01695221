import { z } from 'zod';
import { flag, integer, listOf, text } from './schema-parts.ts';

/** Options of every agent. */
export const sharedOptions = {
  timeout: z
    .number({ error: 'expected a number of seconds' })
    .positive('expected a number of seconds above 0')
    .exactOptional()
    .describe(
      'Time limit for a turn, in seconds. A turn that takes longer is stopped and fails. Default: 300.',
    ),
  asyncMode: flag
    .exactOptional()
    .describe(
      'Whether every message becomes a task. If false, a client that waits gets a message instead. Default: true.',
    ),
};

/** Options of agents that are programs on this machine. */
export const processOptions = {
  ...sharedOptions,
  workingDirectory: text
    .exactOptional()
    .describe('Working directory of the program. Default: the working directory of the server.'),
  directoryPerContext: flag
    .exactOptional()
    .describe('Whether each context gets a subfolder of the working directory. Default: false.'),
  envVars: z
    .record(z.string(), z.string({ error: 'expected a string' }), { error: 'expected an object of strings' })
    .exactOptional()
    .describe(
      'Environment variables to set for the program. Pass keys and tokens with passEnvironment instead.',
    ),
  passEnvironment: listOf(text)
    .exactOptional()
    .describe(
      'Names of environment variables of the server to pass to the program. `MY_*` matches all that start with `MY_`.',
    ),
  maxOutputBytes: integer('a number of bytes', 1024, 1_073_741_824)
    .exactOptional()
    .describe(
      'Limit for the output of a turn. A program that prints more is stopped. Default: 16777216 (16 MiB).',
    ),
};

/** Options of agents that run one process per turn. */
export const programOptions = {
  ...processOptions,
  maxProcesses: integer('a number of programs', 1, 1_000)
    .exactOptional()
    .describe('How many processes run at once; further turns wait. Default: 16.'),
};

/** Options of coding agents. */
export function codingAgentOptions(program: string) {
  return {
    ...programOptions,
    program: text.exactOptional().describe(`Path of the program. Default: ${program}, looked up in PATH.`),
    model: text.exactOptional().describe('Model to use. Default: chosen by the program.'),
    arguments: listOf(text).exactOptional().describe('Additional arguments, passed on unchanged.'),
  };
}
