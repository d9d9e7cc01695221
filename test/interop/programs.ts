import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Command } from './peers.ts';

const KEPT_ERRORS = 2_000;

/** A foreign program, with the lines it prints and the end of what it says on stderr. */
export interface Program {
  readonly lines: AsyncIterable<string>;
  errors(): string;
  stop(): Promise<void>;
}

/** Starts a program in the folder of its peer. It is killed if it runs longer than the limit. */
export function startProgram(
  { file, words = [], cwd }: Command,
  more: readonly string[],
  limitMilliseconds: number,
): Program {
  const child: ChildProcess = spawn(file, [...words, ...more], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), limitMilliseconds);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-KEPT_ERRORS);
  });
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      errors += error.message;
      resolve();
    });
    child.once('close', () => resolve());
  });
  if (child.stdout === null) throw new Error('stdout of a program is a pipe');
  return {
    lines: createInterface({ input: child.stdout }),
    errors: () => errors.trim(),
    async stop() {
      clearTimeout(timer);
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs a tool until it exits and resolves with what it printed; rejects with the end of its output if it fails. */
export async function runTool(
  file: string,
  words: readonly string[],
  options: { cwd?: string; environment?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const child = spawn(file, words, {
    cwd: options.cwd,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close').catch((error: unknown) => [String(error)]);
  if (code !== 0) {
    throw new Error(`${file} ${words.slice(0, 3).join(' ')} failed:\n${output.slice(-KEPT_ERRORS)}`);
  }
  return output;
}
