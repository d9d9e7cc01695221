import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));

export interface RunningParley {
  /** All it has printed so far, errors included. */
  output(): string;
  /** Resolves with the first match in the output; rejects when the process ends without one. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  /** The exit code, once it has ended and all its output is here. */
  ended: Promise<number | null>;
}

/** Runs the program as a user does, in a process of its own that does not outlive the test. */
export function startParley(
  words: readonly string[],
  options: { cwd?: string; environment?: Record<string, string> } = {},
): RunningParley {
  const child = spawn(process.execPath, [MAIN, ...words], {
    cwd: options.cwd,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let more = Promise.withResolvers<boolean>();
  const collect = (text: string) => {
    output += text;
    more.resolve(true);
    more = Promise.withResolvers();
  };
  child.stdout.setEncoding('utf8').on('data', collect);
  child.stderr.setEncoding('utf8').on('data', collect);
  const ended = once(child, 'close').then(([code]: (number | null)[]) => code ?? null);
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return {
    output: () => output,
    async printed(pattern) {
      for (;;) {
        const match = pattern.exec(output);
        if (match !== null) return match;
        if (await Promise.race([more.promise, ended.then(() => false)])) continue;
        throw new Error(`parley ended without ${pattern}:\n${output}`);
      }
    },
    signal: (name) => void child.kill(name),
    ended,
  };
}
