/**
 * Failures that nobody waits for: a promise that an agent's module forgot, an error in one of its timers. Node would end
 * the process at once, and with it the turns of everybody else.
 *
 * Responsible for telling the operator. Leaves to the caller what stopping means.
 */
import { inspect } from 'node:util';
import type { Log } from '@holdword/runtime';

/** Resolves at the first error that nobody caught: what it broke off is unknown, so the process should not go on for long. */
export function firstStrayFailure(log: Log): Promise<unknown> {
  process.on('unhandledRejection', (reason) => {
    log.error('A promise was rejected and nobody waited for it; the server goes on.', {
      error: describe(reason),
    });
  });
  return new Promise((resolve) => {
    process.on('uncaughtException', (error) => {
      // Where nobody reads the output any more, saying so would fail again.
      if (!isBrokenPipe(error)) {
        log.error('An error was thrown and nobody caught it; the server stops.', { error: describe(error) });
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
