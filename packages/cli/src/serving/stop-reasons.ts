/**
 * Why a process stops: a signal, or an error that nothing has caught. Leaves the shutdown to the caller.
 *
 * Responsible for telling a second signal from an echo of the first: npm and the start script forward a signal that the
 * terminal has already sent to every process of the group, so one Ctrl-C can arrive three times within moments. And for
 * logging stray failures, such as a promise that an agent module did not await or an error in one of its timers. By default,
 * Node would exit at once and interrupt the turns of all callers.
 */
import { performance } from 'node:perf_hooks';
import { inspect } from 'node:util';
import type { Log } from '@holdword/runtime';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const ECHO_MILLISECONDS = 400;

/** Resolves on the first signal. After that, another signal exits the process with the signal's exit code. */
export function firstStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    const receive = (signal: NodeJS.Signals, number: number) => {
      const now = performance.now();
      if (firstAt === undefined) {
        firstAt = now;
        resolve(signal);
      } else if (now - firstAt > ECHO_MILLISECONDS) {
        process.exit(128 + number);
      }
    };
    for (const signal of SIGNALS) process.on(signal, receive);
  });
}

/** Resolves on the first uncaught exception. The state of the process is unknown after it, so it should stop soon. */
export function firstStrayFailure(log: Log): Promise<unknown> {
  process.on('unhandledRejection', (reason) => {
    log.error('Unhandled promise rejection; the server keeps running.', {
      error: describe(reason),
    });
  });
  return new Promise((resolve) => {
    process.on('uncaughtException', (error) => {
      log.error('Uncaught exception; the server is stopping.', { error: describe(error) });
      resolve(error);
    });
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : inspect(error);
}
