import type { Command } from '../command-line/command.ts';
import { settingOptions } from '../config/describe-settings.ts';
import { CONFIG_OPTION } from '../config/resolve-config.ts';
import { listed } from './command-list.ts';
import { AGENTS } from './serve.ts';

/** A worker keeps little: the sessions of its agent, and which programs it has started. */
export const WORKER_DEFAULTS = { data: '.holdword-worker' } as const;

const connect: Command = {
  ...listed('connect'),
  details:
    'The host serves the agent to callers; the worker only dials out, over HTTPS. Runs until Ctrl-C. The token comes from ' +
    'HOLDWORD_WORKER_TOKEN or --token-file, and is printed by "holdword agents add" on the host.',
  options: {
    ...settingOptions(['agent', 'data', 'graceSeconds', 'logLevel', 'logFormat'], WORKER_DEFAULTS),
    'token-file': { value: 'FILE', description: 'File with the token of the agent' },
    slots: { value: 'N', description: 'How many turns run at the same time', default: '4' },
    'signing-key': {
      value: 'FILE',
      description: 'Sign what the agent says with this private key (PEM, Ed25519 or P-256)',
    },
    affinity: { description: 'Keep turns of a context with the worker that has worked in it' },
    once: { description: 'Take a single turn and end, as in a serverless function' },
    config: CONFIG_OPTION,
  },
  lists: { Agents: AGENTS },
  examples: [
    {
      comment: 'Connect Claude Code on this machine to a host',
      command: 'holdword connect https://host.example --agent claude-code',
    },
    {
      comment: 'Connect an agent of your own, one turn at a time',
      command: 'holdword connect https://host.example --agent ./my-agent.ts --slots 1',
    },
  ],
  page: 'guides/agents-without-an-address.md',
  // A worker is a lot of code, which help does not need.
  run: async (input) => (await import('../serving/run-worker.ts')).runWorker(input, WORKER_DEFAULTS),
};

export const commands: readonly Command[] = [connect];
