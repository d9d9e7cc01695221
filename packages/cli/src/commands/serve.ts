import { AGENT_KINDS } from '@parley/runtime/agents';
import type { Command } from '../arguments/command.ts';
import { hasPassword } from '../config/hide-secrets.ts';
import { resolveConfig } from '../config/resolve-config.ts';
import { CONFIG_OPTION, SERVE_SETTINGS } from '../config/settings-table.ts';
import { renderAnnouncement } from '../serving/announcement.ts';
import { firstStopSignal } from '../serving/first-stop-signal.ts';
import { startServer } from '../serving/start-server.ts';

const DEFAULT_GRACE_SECONDS = 5;
const VISIBLE_PASSWORD =
  'A password on the command line can be seen by other users of this machine. Put the URL into PARLEY_STORE, or the ' +
  'password into PGPASSWORD.\n';

export const serve: Command = {
  name: 'serve',
  summary: 'Serve an agent over A2A until Ctrl-C.',
  options: { ...SERVE_SETTINGS, config: CONFIG_OPTION },
  lists: {
    Agents: [
      ['demo', 'the demo agent, to try things out'],
      ...AGENT_KINDS.map(({ name, summary }) => [name, summary] as const),
    ],
  },
  async run({ options, environment, workingFolder, terminal }) {
    const stopWanted = firstStopSignal();
    if (hasPassword(options['store'] ?? '')) terminal.error(VISIBLE_PASSWORD);
    const config = await resolveConfig({ options, environment, workingFolder });
    const server = await startServer(config, workingFolder, terminal);
    terminal.out(renderAnnouncement(server.announcement, terminal));

    await stopWanted;
    const graceSeconds = config.graceSeconds ?? DEFAULT_GRACE_SECONDS;
    const { running } = server.runtime.activity;
    terminal.error(
      running === 0
        ? '\nStopping.\n'
        : `\nStopping, waiting up to ${graceSeconds} s for ${running} ${running === 1 ? 'turn' : 'turns'}. Ctrl-C again stops at once.\n`,
    );
    await server.stop(graceSeconds * 1000);
    return 0;
  },
};
