/**
 * Graceful shutdown on the first Ctrl-C or termination signal, immediate exit on the second.
 *
 * Responsible for telling a second signal from an echo of the first: npm and the start script forward a signal that the
 * terminal has already sent to every process of the group, so one Ctrl-C can arrive three times within moments.
 * Leaves the shutdown to the caller.
 */
import { performance } from 'node:perf_hooks';

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
