import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { HoldwordProcess } from './holdword-process.ts';
import { startHoldword } from './start-holdword.ts';

export interface RunResult {
  readonly code: number | null;
  /** What it wrote to both. */
  readonly output: string;
  readonly stdout: string;
  readonly errors: string;
}

/** A working folder for one test, in which the program is run. */
export interface HoldwordFolder {
  readonly path: string;
  /** Runs a command until it exits. */
  run(...words: string[]): Promise<RunResult>;
  /** Starts a command that runs for a while. */
  start(...words: string[]): HoldwordProcess;
  /** Starts a server on a free port, without gRPC by default. */
  serve(...words: string[]): HoldwordProcess;
}

export async function makeHoldwordFolder(environment: Record<string, string> = {}): Promise<HoldwordFolder> {
  const path = await mkdtemp(join(tmpdir(), 'holdword-cli-'));
  onTestFinished(() => rm(path, { recursive: true }));
  const start = (words: readonly string[]): HoldwordProcess =>
    startHoldword(words, { cwd: path, environment });
  return {
    path,
    async run(...words) {
      const holdword = start(words);
      const code = await holdword.ended;
      return { code, output: holdword.output(), stdout: holdword.stdout(), errors: holdword.errors() };
    },
    start: (...words) => start(words),
    serve: (...words) => start(['serve', '--port', '0', '--grpc-port', 'off', ...words]),
  };
}
