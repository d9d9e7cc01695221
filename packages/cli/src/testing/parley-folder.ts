import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startParley, type RunningParley } from './start-parley.ts';

/** A working folder for one test, and the program run in it. */
export interface ParleyFolder {
  readonly path: string;
  /** Runs a command to its end. */
  run(...words: string[]): Promise<{ code: number | null; output: string }>;
  /** Starts a server on a free port, without gRPC unless the words say otherwise. */
  serve(...words: string[]): RunningParley;
}

export async function makeParleyFolder(): Promise<ParleyFolder> {
  const path = await mkdtemp(join(tmpdir(), 'parley-cli-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return {
    path,
    async run(...words) {
      const parley = startParley(words, { cwd: path });
      return { code: await parley.ended, output: parley.output() };
    },
    serve: (...words) => startParley(['serve', '--port', '0', '--grpc-port', 'off', ...words], { cwd: path }),
  };
}
