import type { Command } from '../arguments/command.ts';
import { CONFIG_OPTION, SERVE_SETTINGS } from '../config/settings-table.ts';
import { RESPONDER } from '../serving/load-agent.ts';
import { runServer } from '../serving/run-server.ts';
import { SERVED_AGENTS } from './served-agents.ts';

const { hub: _always, agent, 'grpc-port': grpcPort, ...SHARED } = SERVE_SETTINGS;

export const hub: Command = {
  name: 'hub',
  summary: 'Serve the hub until Ctrl-C: identities, sessions, heartbeats and hand-off of agents.',
  options: {
    ...SHARED,
    agent: { ...agent, description: 'who answers messages (default responder)' },
    'grpc-port': { ...grpcPort, description: 'gRPC port of the agent, 0 picks a free one (default off)' },
    config: CONFIG_OPTION,
  },
  lists: {
    Agents: [[RESPONDER, 'answers from what the hub knows of a session, without a model'], ...SERVED_AGENTS],
  },
  async run(input) {
    await runServer(input, (config) => ({ agent: RESPONDER, grpcPort: 'off', ...config, hub: true }));
    return 0;
  },
};
