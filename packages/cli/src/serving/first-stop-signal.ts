/**
 * Ends the program in good order on Ctrl-C or a termination signal, and at once on the second.
 *
 * Responsible for telling a second wish from an echo of the first: npm and the start script pass on a signal that the
 * terminal has sent to every process of the group already, so one Ctrl-C can arrive three times within moments.
 * Leaves to the caller what stopping means.
 */
import { performance } from 'node:perf_hooks';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const ECHO_MILLISECONDS = 400;

/** Resolves at the first signal. After that, a further one ends the process with the signal's exit code. */
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
