import type { Command } from '../command-line/command.ts';
import { RESPONDER, type Config } from '../config/config-schema.ts';
import { settingOptions } from '../config/describe-settings.ts';
import { CONFIG_OPTION, resolveConfig, type ConfigSource } from '../config/resolve-config.ts';
import { listed } from './command-list.ts';
import { hubRecordCommands } from './hub-records.ts';
import { AGENTS, RESPONDER_ROW, runServer } from './serve.ts';

const HUB_DEFAULTS = { agent: RESPONDER, grpcPort: 'off' } as const;
const HUB_CARD = {
  name: 'Holdword hub',
  description:
    'Keeps identities, sessions and heartbeats of agents, and hands tasks over from one agent to the next.',
};

const { hub: _alwaysOn, ...hubOptions } = settingOptions(undefined, HUB_DEFAULTS);

const hub: Command = {
  ...listed('hub'),
  details:
    'Runs until Ctrl-C. Agents can hand over what they report. To hand over tasks that an agent runs, serve the agent with --hub.',
  options: { ...hubOptions, config: CONFIG_OPTION },
  lists: { Agents: [RESPONDER_ROW, ...AGENTS] },
  examples: [
    { comment: 'Serve a hub at http://127.0.0.1:4310', command: 'holdword hub' },
    { comment: 'Let Claude Code answer messages', command: 'holdword hub --agent claude-code' },
    {
      comment: 'Keep its data in PostgreSQL',
      command: 'HOLDWORD_STORE=postgres://holdword@db/holdword holdword hub --port 8080',
    },
  ],
  page: 'guides/hub.md',
  run: (input) => runServer(input, resolveHubConfig),
};

/** With the default agent, the card is that of the hub. */
async function resolveHubConfig(source: ConfigSource): Promise<Config> {
  const config = await resolveConfig(source, HUB_DEFAULTS);
  const card = config.agent === RESPONDER ? { ...HUB_CARD, ...config.card } : config.card;
  return { ...config, hub: true, card };
}

export const commands: readonly Command[] = [hub, ...hubRecordCommands];
