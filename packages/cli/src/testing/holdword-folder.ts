import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { HoldwordProcess } from './holdword-process.ts';
import { startHoldword } from './start-holdword.ts';

/** A working folder for one test, in which the program is run. */
export interface HoldwordFolder {
  readonly path: string;
  /** Runs a command until it exits. */
  run(...words: string[]): Promise<{ code: number | null; output: string }>;
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
      return { code: await holdword.ended, output: holdword.output() };
    },
    serve: (...words) => start(['serve', '--port', '0', '--grpc-port', 'off', ...words]),
  };
}
