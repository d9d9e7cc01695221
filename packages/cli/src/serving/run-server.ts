import type { CommandInput } from '../arguments/command.ts';
import type { Config } from '../config/config-schema.ts';
import { hasPassword } from '../config/hide-secrets.ts';
import { resolveConfig } from '../config/resolve-config.ts';
import { allocateYoung } from './allocate-young.ts';
import { renderAnnouncement } from './announcement.ts';
import { firstStopSignal } from './first-stop-signal.ts';
import { startServer } from './start-server.ts';

const DEFAULT_GRACE_SECONDS = 5;
const VISIBLE_PASSWORD =
  'A password on the command line can be seen by other users of this machine. Put the URL into PARLEY_STORE, or the ' +
  'password into PGPASSWORD.\n';

/** Serves what the command line asks for until somebody asks to stop. */
export async function runServer(
  { options, environment, workingFolder, terminal }: CommandInput,
  choose: (config: Config) => Config = (config) => config,
): Promise<void> {
  allocateYoung();
  const stopWanted = firstStopSignal();
  if (hasPassword(options['store'] ?? '')) terminal.error(VISIBLE_PASSWORD);
  const config = choose(await resolveConfig({ options, environment, workingFolder }));
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
}
