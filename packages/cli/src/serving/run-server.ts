import type { CommandInput } from '../arguments/command.ts';
import type { Config } from '../config/config-schema.ts';
import { hasPassword } from '../config/hide-secrets.ts';
import { resolveConfig } from '../config/resolve-config.ts';
import { CommandError } from '../usage-error.ts';
import { allocateYoung } from './allocate-young.ts';
import { renderAnnouncement } from './announcement.ts';
import { chooseLog } from './choose-log.ts';
import { firstStopSignal } from './first-stop-signal.ts';
import { startServer, type RunningServer } from './start-server.ts';
import { firstStrayFailure } from './stray-failure.ts';

const DEFAULT_GRACE_SECONDS = 5;
const VISIBLE_PASSWORD =
  'A password on the command line can be seen by other users of this machine. Put the URL into HOLDWORD_STORE, or the ' +
  'password into PGPASSWORD.\n';

/** Serves what the command line asks for until somebody asks to stop. Resolves with the exit code. */
export async function runServer(
  { options, environment, workingFolder, terminal }: CommandInput,
  choose: (config: Config) => Config = (config) => config,
): Promise<number> {
  allocateYoung();
  const stopWanted = firstStopSignal();
  if (hasPassword(options['store'] ?? '')) terminal.error(VISIBLE_PASSWORD);
  const config = choose(await resolveConfig({ options, environment, workingFolder }));
  const log = chooseLog(config, terminal);
  const failed = firstStrayFailure(log);
  const server = await unlessBroken(startServer(config, workingFolder, log), failed);
  terminal.out(renderAnnouncement(server.announcement, terminal));

  const code = await Promise.race([stopWanted.then(() => 0), failed.then(() => 1)]);
  const graceSeconds = config.graceSeconds ?? DEFAULT_GRACE_SECONDS;
  const { running } = server.runtime.activity;
  terminal.error(
    running === 0
      ? '\nStopping.\n'
      : `\nStopping, waiting up to ${graceSeconds} s for ${running} ${running === 1 ? 'turn' : 'turns'}. Ctrl-C again stops at once.\n`,
  );
  await server.stop(graceSeconds * 1000);
  return code;
}

/** What waits for a part that has failed would wait for ever. */
function unlessBroken(starting: Promise<RunningServer>, failed: Promise<unknown>): Promise<RunningServer> {
  return Promise.race([
    starting,
    failed.then((cause) => {
      throw new CommandError('The server could not start: an error was thrown that nobody caught.', {
        cause,
      });
    }),
  ]);
}
