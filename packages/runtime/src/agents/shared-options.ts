import { z } from 'zod';
import { flag, integer, listOf, text } from './schema-parts.ts';

/** What every agent takes. */
export const sharedOptions = {
  timeout: z
    .number({ error: 'expected a number of seconds' })
    .positive('expected a number of seconds above 0')
    .exactOptional()
    .describe('Seconds until a turn is stopped and fails. Default: 300.'),
  asyncMode: flag
    .exactOptional()
    .describe('Whether every message becomes a task. False: who waits gets a message. Default: true.'),
};

/** What agents take that are programs on this machine. */
export const processOptions = {
  ...sharedOptions,
  workingDirectory: text
    .exactOptional()
    .describe('The folder in which the program works. Default: the folder of the server.'),
  directoryPerContext: flag
    .exactOptional()
    .describe('Whether each context has a folder of its own below the working directory. Default: false.'),
  envVars: z
    .record(z.string(), z.string({ error: 'expected a text' }), { error: 'expected an object of texts' })
    .exactOptional()
    .describe('Environment variables for the program. Keys and tokens are better passed on by name.'),
  passEnvironment: listOf(text)
    .exactOptional()
    .describe(
      'Names of variables of the server that the program gets, too. `MY_*` stands for all that begin so.',
    ),
  maxOutputBytes: integer('a number of bytes', 1024, 1_073_741_824)
    .exactOptional()
    .describe('A program that prints more in a turn is stopped. Default: 16777216 (16 MiB).'),
};

/** What agents take that run one program per turn. */
export const programOptions = {
  ...processOptions,
  maxProcesses: integer('a number of programs', 1, 1_000)
    .exactOptional()
    .describe('Programs that run at once; further turns wait. Default: 16.'),
};

/** What programs take that work on code. */
export function codingAgentOptions(program: string) {
  return {
    ...programOptions,
    program: text.exactOptional().describe(`Where the program is found. Default: ${program} in the PATH.`),
    model: text.exactOptional().describe('The model it uses. Default: its own choice.'),
    arguments: listOf(text).exactOptional().describe('Further arguments, as they are.'),
  };
}
