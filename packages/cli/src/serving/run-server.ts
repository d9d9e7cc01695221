import { withTimeout } from '@holdword/protocol/internal';
import type { Log } from '@holdword/runtime';
import type { CommandInput } from '../command-line/command.ts';
import type { Terminal } from '../command-line/terminal.ts';
import type { Config } from '../config/config-schema.ts';
import { completeConfig, configFileName, type ConfigSource } from '../config/resolve-config.ts';
import { CommandError } from '../usage-error.ts';
import { renderAnnouncement } from './announcement.ts';
import { addKeyCommand } from './authentication.ts';
import { checkAgent } from './load-agent.ts';
import { openLog } from './log.ts';
import { startServer, type RunningServer } from './start-server.ts';
import { firstStopSignal, firstStrayFailure } from './stop-reasons.ts';

/** What a server may take after the grace period of its turns, whatever its store does. The process ends a second later. */
const LAST_WORK_MILLISECONDS = 4_000;
/** How long a start that a signal ends may take to get to its end. */
const START_PATIENCE_MILLISECONDS = 1_000;

/** Serves the configured agent until a signal or an uncaught error stops it. Resolves with the exit code. */
export async function runServer(
  input: CommandInput,
  configure: (source: ConfigSource) => Promise<Config>,
): Promise<number> {
  const { terminal } = input;
  const stopRequested = firstStopSignal();
  const config = await configure(input);
  checkAgent(config, configFileName(input));
  const log = openLog(terminal, config.logLevel, config.logFormat);
  const failed = firstStrayFailure(log);
  const keyCommand = addKeyCommand(config, completeConfig({}, input));
  const say = stopNotice(terminal, config.logFormat, log);
  const starting = unlessBroken(startServer(config, keyCommand, log), failed);
  const server = await Promise.race([starting, stopRequested.then(() => undefined)]);
  if (server === undefined) {
    say('Stopping before the server has started.');
    await endStart(starting);
    return 0;
  }
  terminal.announce(renderAnnouncement(server.announcement, terminal));

  const code = await Promise.race([stopRequested.then(() => 0), failed.then(() => 1)]);
  const { graceSeconds } = config;
  const { running } = server.runtime.activity;
  const turns = `${running} running ${running === 1 ? 'turn' : 'turns'}`;
  say(running === 0 ? 'Stopping.' : `Stopping, waiting up to ${graceSeconds} s for ${turns}.`, running > 0);
  const longest = graceSeconds * 1000 + LAST_WORK_MILLISECONDS;
  await withTimeout(server.stop(graceSeconds * 1000), longest).catch((error: unknown) => {
    log.warn('The server did not stop in good order. The next start recovers what it could not finish.', {
      error: String(error),
    });
  });
  return code;
}

/** Tells whoever has pressed Ctrl-C, or the log if that is all there is: what reads a log as JSON reads every line so. */
function stopNotice(terminal: Terminal, format: Config['logFormat'], log: Log) {
  return (text: string, isWaiting = false): void => {
    if (terminal.errorsAreWatched && format === 'text') {
      terminal.error(`\n${text}${isWaiting ? ' Press Ctrl-C again to stop immediately.' : ''}\n`);
    } else if (isWaiting) log.warn(text);
    else log.info(text);
  };
}

/** A start may hang, for example in an agent module: what it has opened by then is not waited for. */
async function endStart(starting: Promise<RunningServer>): Promise<void> {
  await withTimeout(
    starting.then((server) => server.stop(0)),
    START_PATIENCE_MILLISECONDS,
  ).catch(() => {});
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
