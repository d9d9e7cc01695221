import type { CommandInput } from '../arguments/command.ts';
import type { Config } from '../config/config-schema.ts';
import { hasPassword } from '../config/hide-secrets.ts';
import { resolveConfig } from '../config/resolve-config.ts';
import { CommandError } from '../usage-error.ts';
import { renderAnnouncement } from './announcement.ts';
import { chooseLog } from './choose-log.ts';
import { firstStopSignal } from './first-stop-signal.ts';
import { startServer, type RunningServer } from './start-server.ts';
import { firstStrayFailure } from './stray-failure.ts';

const DEFAULT_GRACE_SECONDS = 5;
const VISIBLE_PASSWORD =
  'Warning: other users of this machine can see the password on the command line. Put the URL in HOLDWORD_STORE, or the ' +
  'password in PGPASSWORD.\n';

/** Serves the configured agent until a signal or an uncaught error stops it. Resolves with the exit code. */
export async function runServer(
  { options, environment, workingFolder, terminal }: CommandInput,
  choose: (config: Config) => Config = (config) => config,
): Promise<number> {
  const stopRequested = firstStopSignal();
  if (hasPassword(options['store'] ?? '')) terminal.error(VISIBLE_PASSWORD);
  const config = choose(await resolveConfig({ options, environment, workingFolder }));
  const log = chooseLog(config, terminal);
  const failed = firstStrayFailure(log);
  const server = await unlessBroken(startServer(config, workingFolder, log), failed);
  terminal.out(renderAnnouncement(server.announcement, terminal));

  const code = await Promise.race([stopRequested.then(() => 0), failed.then(() => 1)]);
  const graceSeconds = config.graceSeconds ?? DEFAULT_GRACE_SECONDS;
  const { running } = server.runtime.activity;
  terminal.error(
    running === 0
      ? '\nStopping.\n'
      : `\nStopping, waiting up to ${graceSeconds} s for ${running} running ${running === 1 ? 'turn' : 'turns'}. ` +
          'Press Ctrl-C again to stop immediately.\n',
  );
  await server.stop(graceSeconds * 1000);
  return code;
}

/** Rejects when an uncaught error breaks the start, which might otherwise wait forever. */
function unlessBroken(starting: Promise<RunningServer>, failed: Promise<unknown>): Promise<RunningServer> {
  return Promise.race([
    starting,
    failed.then((cause) => {
      throw new CommandError('The server could not start because of the uncaught error above.', {
        cause,
      });
    }),
  ]);
}
