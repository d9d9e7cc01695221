/**
 * Unhandled rejections and uncaught exceptions, such as a promise that an agent module did not await or an error in one of
 * its timers. By default, Node would exit at once and interrupt the turns of all callers.
 *
 * Responsible for logging them. Leaves the shutdown to the caller.
 */
import { inspect } from 'node:util';
import type { Log } from '@holdword/runtime';

/** Resolves on the first uncaught exception. The state of the process is unknown after it, so it should stop soon. */
export function firstStrayFailure(log: Log): Promise<unknown> {
  process.on('unhandledRejection', (reason) => {
    log.error('Unhandled promise rejection; the server keeps running.', {
      error: describe(reason),
    });
  });
  return new Promise((resolve) => {
    process.on('uncaughtException', (error) => {
      // With the reader of the output gone, logging would fail again.
      if (!isBrokenPipe(error)) {
        log.error('Uncaught exception; the server is stopping.', { error: describe(error) });
      }
      resolve(error);
    });
  });
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : inspect(error);
}

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
