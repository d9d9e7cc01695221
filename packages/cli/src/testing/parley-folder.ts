import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ParleyProcess } from './parley-process.ts';
import { startParley } from './start-parley.ts';

/** A working folder for one test, and the program run in it. */
export interface ParleyFolder {
  readonly path: string;
  /** Runs a command to its end. */
  run(...words: string[]): Promise<{ code: number | null; output: string }>;
  /** Starts a server on a free port, without gRPC unless the words say otherwise. */
  serve(...words: string[]): ParleyProcess;
}

export async function makeParleyFolder(environment: Record<string, string> = {}): Promise<ParleyFolder> {
  const path = await mkdtemp(join(tmpdir(), 'parley-cli-'));
  onTestFinished(() => rm(path, { recursive: true }));
  const start = (words: readonly string[]): ParleyProcess => startParley(words, { cwd: path, environment });
  return {
    path,
    async run(...words) {
      const parley = start(words);
      return { code: await parley.ended, output: parley.output() };
    },
    serve: (...words) => start(['serve', '--port', '0', '--grpc-port', 'off', ...words]),
  };
}
