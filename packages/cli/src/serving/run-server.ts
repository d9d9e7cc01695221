import type { CommandInput } from '../command-line/command.ts';
import type { Config } from '../config/config-schema.ts';
import { hasPassword } from '../config/read-text.ts';
import { completeConfig, type ConfigSource } from '../config/resolve-config.ts';
import { CommandError } from '../usage-error.ts';
import { renderAnnouncement } from './announcement.ts';
import { addKeyCommand } from './authentication.ts';
import { openLog } from './log.ts';
import { startServer, type RunningServer } from './start-server.ts';
import { firstStopSignal, firstStrayFailure } from './stop-reasons.ts';

const VISIBLE_PASSWORD =
  'Warning: other users of this machine can see the password on the command line. Put the URL in HOLDWORD_STORE, or the ' +
  'password in PGPASSWORD.\n';

/** Serves the configured agent until a signal or an uncaught error stops it. Resolves with the exit code. */
export async function runServer(
  input: CommandInput,
  configure: (source: ConfigSource) => Promise<Config>,
): Promise<number> {
  const { options, terminal } = input;
  const stopRequested = firstStopSignal();
  if (hasPassword(options['store'] ?? '')) terminal.error(VISIBLE_PASSWORD);
  const config = await configure(input);
  const log = openLog(terminal, config.logLevel, config.logFormat);
  const failed = firstStrayFailure(log);
  const keyCommand = addKeyCommand(config, completeConfig({}, input));
  const server = await unlessBroken(startServer(config, keyCommand, log), failed);
  terminal.out(renderAnnouncement(server.announcement, terminal));

  const code = await Promise.race([stopRequested.then(() => 0), failed.then(() => 1)]);
  const { graceSeconds } = config;
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
