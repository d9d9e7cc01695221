import type { Command } from '../arguments/command.ts';
import type { Config } from '../config/config-schema.ts';
import { CONFIG_OPTION, SERVE_SETTINGS } from '../config/settings-table.ts';
import { RESPONDER } from '../serving/load-agent.ts';
import { runServer } from '../serving/run-server.ts';
import { SERVED_AGENTS } from './served-agents.ts';

const CARD = {
  name: 'Holdword hub',
  description: 'Keeps names, sessions and heartbeats of agents, and hands tasks from one to the next.',
};

const { hub: _always, ...SHARED } = SERVE_SETTINGS;

export const hub: Command = {
  name: 'hub',
  summary: 'Serve the hub until Ctrl-C: identities, sessions, heartbeats and hand-off of agents.',
  options: {
    ...SHARED,
    agent: { ...SHARED.agent, description: 'who answers messages (default responder)' },
    'grpc-port': {
      ...SHARED['grpc-port'],
      description: 'gRPC port of the agent, 0 picks a free one (default off)',
    },
    config: CONFIG_OPTION,
  },
  lists: {
    Agents: [[RESPONDER, 'answers from what the hub knows of a session, without a model'], ...SERVED_AGENTS],
  },
  run: (input) =>
    runServer(input, (config) => ({ agent: RESPONDER, grpcPort: 'off', ...config, ...hubOf(config) })),
};

/** Where no other agent is named, the card is the hub's own. */
function hubOf({ agent = RESPONDER, card }: Config): Pick<Config, 'hub' | 'card'> {
  return { hub: true, ...(agent === RESPONDER && { card: { ...CARD, ...card } }) };
}
