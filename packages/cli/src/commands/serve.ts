import type { Command } from '../arguments/command.ts';
import { CONFIG_OPTION, SERVE_SETTINGS } from '../config/settings-table.ts';
import { runServer } from '../serving/run-server.ts';
import { RESPONDER_ROW, SERVED_AGENTS } from './served-agents.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Serve an agent over A2A.',
  details: 'Runs until Ctrl-C. Tasks are stored durably and survive crashes and restarts.',
  options: { ...SERVE_SETTINGS, config: CONFIG_OPTION },
  lists: { Agents: [...SERVED_AGENTS, RESPONDER_ROW] },
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
  run: (input) => runServer(input),
};
