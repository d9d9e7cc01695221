import type { Command } from '../arguments/command.ts';
import { CONFIG_OPTION, SERVE_SETTINGS } from '../config/settings-table.ts';
import { runServer } from '../serving/run-server.ts';
import { SERVED_AGENTS } from './served-agents.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Serve an agent over A2A until Ctrl-C.',
  options: { ...SERVE_SETTINGS, config: CONFIG_OPTION },
  lists: { Agents: SERVED_AGENTS },
  run: (input) => runServer(input),
};
