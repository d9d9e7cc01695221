import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const FORWARDED = ['SIGINT', 'SIGTERM'];
const PARENT_CHECK_MILLISECONDS = 500;

/**
 * Runs a program in this one's place: same terminal, signals passed on. Resolves with its exit code once it has ended.
 * Nothing outlives npm: where npm is killed without a chance to pass that on, the program is asked to end.
 */
export function runChild(command, childArguments, options = {}) {
  const child = spawn(command, childArguments, { stdio: 'inherit', ...options });
  const forward = (signal) => child.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  const watch = watchNpm(() => child.kill('SIGTERM'));
  return new Promise((resolve) => {
    child.on('error', (error) => {
      process.stderr.write(`Could not start ${command}: ${error.message}\n`);
      resolve(1);
    });
    child.on('exit', (code, signal) => {
      for (const name of FORWARDED) process.off(name, forward);
      clearInterval(watch);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

function watchNpm(onGone) {
  const parent = process.ppid;
  if (process.env['npm_lifecycle_event'] === undefined) return undefined;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    onGone();
  }, PARENT_CHECK_MILLISECONDS);
  return watch;
}
