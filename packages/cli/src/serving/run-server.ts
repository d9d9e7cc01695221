import { withTimeout } from '@holdword/protocol/internal';
import type { CommandInput } from '../command-line/command.ts';
import type { Config } from '../config/config-schema.ts';
import { completeConfig, type ConfigSource } from '../config/resolve-config.ts';
import { CommandError } from '../usage-error.ts';
import { renderAnnouncement } from './announcement.ts';
import { addKeyCommand } from './authentication.ts';
import { openLog } from './log.ts';
import { startServer, type RunningServer } from './start-server.ts';
import { firstStopSignal, firstStrayFailure } from './stop-reasons.ts';

/** What a server may take after the grace period of its turns, whatever its store does. The process ends a second later. */
const LAST_WORK_MILLISECONDS = 4_000;

/** Serves the configured agent until a signal or an uncaught error stops it. Resolves with the exit code. */
export async function runServer(
  input: CommandInput,
  configure: (source: ConfigSource) => Promise<Config>,
): Promise<number> {
  const { terminal } = input;
  const stopRequested = firstStopSignal();
  const config = await configure(input);
  const log = openLog(terminal, config.logLevel, config.logFormat);
  const failed = firstStrayFailure(log);
  const keyCommand = addKeyCommand(config, completeConfig({}, input));
  const server = await unlessBroken(startServer(config, keyCommand, log), failed);
  terminal.announce(renderAnnouncement(server.announcement, terminal));

  const code = await Promise.race([stopRequested.then(() => 0), failed.then(() => 1)]);
  const { graceSeconds } = config;
  const { running } = server.runtime.activity;
  terminal.error(
    running === 0
      ? '\nStopping.\n'
      : `\nStopping, waiting up to ${graceSeconds} s for ${running} running ${running === 1 ? 'turn' : 'turns'}. ` +
          'Press Ctrl-C again to stop immediately.\n',
  );
  const longest = graceSeconds * 1000 + LAST_WORK_MILLISECONDS;
  await withTimeout(server.stop(graceSeconds * 1000), longest).catch((error: unknown) => {
    log.warn('The server did not stop in good order. The next start recovers what it could not finish.', {
      error: String(error),
    });
  });
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
