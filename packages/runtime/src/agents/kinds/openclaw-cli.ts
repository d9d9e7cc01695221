import { z } from 'zod';
import { defineAgent } from '../agent-kind.ts';
import { openClawOptions } from './openclaw-options.ts';

export const openclawCli = defineAgent({
  name: 'openclaw-cli',
  summary: 'OpenClaw, via the `openclaw` command only',
  options: z.strictObject(openClawOptions),
  async open(options, server) {
    const { openOpenClawCli } = await import('../../executors/openclaw/index.ts');
    return { executor: await openOpenClawCli(options, server) };
  },
});
