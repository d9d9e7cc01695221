import { z } from 'zod';
import { defineAgent } from '../agent-kind.ts';
import { flag, text } from '../schema-parts.ts';
import { programOptions } from '../shared-options.ts';

export const exec = defineAgent({
  name: 'exec',
  summary: 'any command: exec:"COMMAND {prompt}", or exec:"COMMAND" to get the message on stdin',
  mainOption: 'command',
  options: z.strictObject({
    ...programOptions,
    command: text.describe(
      'Command and arguments, not run in a shell. {prompt} is replaced by the message; without it, the message is passed on stdin.',
    ),
    stream: flag.exactOptional().describe('Whether output is streamed while it is printed. Default: false.'),
  }),
  async open(options, server) {
    const { openProgram } = await import('../open-program.ts');
    const { execProfile } = await import('../../executors/cli-agent/profiles/exec.ts');
    return openProgram(execProfile(options), options, server);
  },
});
