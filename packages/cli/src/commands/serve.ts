import { AGENT_KINDS } from '@holdword/runtime/internal/settings';
import type { Command, CommandInput } from '../command-line/command.ts';
import { RESPONDER, type Config } from '../config/config-schema.ts';
import { settingOptions } from '../config/describe-settings.ts';
import { CONFIG_OPTION, resolveConfig, type ConfigSource } from '../config/resolve-config.ts';
import { listed } from './command-list.ts';

/** The agents that can be served by name. */
export const AGENTS: readonly (readonly [string, string])[] = [
  ['demo', 'the built-in demo agent, for trying things out'],
  ...AGENT_KINDS.map(({ name, summary }) => [name, summary] as const),
];
export const RESPONDER_ROW = [
  RESPONDER,
  'the agent of the hub: answers from what the hub knows about a session, without a model',
] as const;

const serve: Command = {
  ...listed('serve'),
  details: 'Runs until Ctrl-C. Tasks are stored durably and survive crashes and restarts.',
  options: { ...settingOptions(), config: CONFIG_OPTION },
  lists: { Agents: [...AGENTS, RESPONDER_ROW] },
  examples: [
    { comment: 'Serve the demo agent at http://127.0.0.1:4310', command: 'holdword serve' },
    { comment: 'Serve an agent of your own', command: 'holdword serve --agent ./my-agent.ts' },
    {
      comment: 'Serve Claude Code on another port',
      command: 'holdword serve --agent claude-code --port 8080',
    },
    { comment: 'Serve any command', command: 'holdword serve --agent exec:"wc -w"' },
  ],
  page: 'guides/serve-an-agent.md',
  run: (input) => runServer(input, resolveConfig),
};

/** A server is a lot of code, which help does not need. */
export async function runServer(
  input: CommandInput,
  configure: (source: ConfigSource) => Promise<Config>,
): Promise<number> {
  const serving = await import('../serving/run-server.ts');
  return serving.runServer(input, configure);
}

export const commands: readonly Command[] = [serve];
