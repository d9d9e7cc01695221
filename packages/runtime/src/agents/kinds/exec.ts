import { z } from 'zod';
import { defineAgent } from '../agent-kind.ts';
import { flag, text } from '../schema-parts.ts';
import { programOptions } from '../shared-options.ts';

export const exec = defineAgent({
  name: 'exec',
  summary: 'any command: exec:"cmd {prompt}", or exec:"cmd" with the message on its input',
  mainOption: 'command',
  options: z.strictObject({
    ...programOptions,
    command: text.describe(
      'The command and its arguments, without a shell. The message stands for {prompt}, or is its input.',
    ),
    stream: flag.exactOptional().describe('Whether output is shown as it is printed. Default: false.'),
  }),
  async open(options, server) {
    const { openProgram } = await import('../open-program.ts');
    const { execProfile } = await import('../../executors/cli-agent/profiles/exec/exec-profile.ts');
    return openProgram(execProfile(options), options, server);
  },
});
