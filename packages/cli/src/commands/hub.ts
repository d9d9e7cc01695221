import type { Command } from '../arguments/command.ts';
import type { Config } from '../config/config-schema.ts';
import { CONFIG_OPTION, SERVE_SETTINGS } from '../config/settings-table.ts';
import { RESPONDER } from '../serving/load-agent.ts';
import { runServer } from '../serving/run-server.ts';
import { RESPONDER_ROW, SERVED_AGENTS } from './served-agents.ts';

const CARD = {
  name: 'Holdword hub',
  description:
    'Keeps identities, sessions and heartbeats of agents, and hands tasks over from one agent to the next.',
};

const { hub: _alwaysOn, ...SHARED } = SERVE_SETTINGS;

export const hub: Command = {
  name: 'hub',
  summary: 'Serve a hub: identities, sessions, heartbeats and hand-off for agents.',
  details: 'Runs until Ctrl-C.',
  options: {
    ...SHARED,
    agent: { ...SHARED.agent, description: 'Agent that answers messages', default: RESPONDER },
    'grpc-port': {
      ...SHARED['grpc-port'],
      description: 'gRPC port of the agent; 0 picks a free port',
      default: 'off',
    },
    config: CONFIG_OPTION,
  },
  lists: {
    Agents: [RESPONDER_ROW, ...SERVED_AGENTS],
  },
  examples: [
    { comment: 'Serve a hub at http://127.0.0.1:4310', command: 'holdword hub' },
    { comment: 'Let Claude Code answer messages', command: 'holdword hub --agent claude-code' },
    {
      comment: 'Keep its data in PostgreSQL',
      command: 'HOLDWORD_STORE=postgres://holdword@db/holdword holdword hub --port 8080',
    },
  ],
  page: 'guides/hub.md',
  run: (input) =>
    runServer(input, (config) => ({ agent: RESPONDER, grpcPort: 'off', ...config, ...hubOf(config) })),
};

/** With the default agent, the card is that of the hub. */
function hubOf({ agent = RESPONDER, card }: Config): Pick<Config, 'hub' | 'card'> {
  return { hub: true, ...(agent === RESPONDER && { card: { ...CARD, ...card } }) };
}
