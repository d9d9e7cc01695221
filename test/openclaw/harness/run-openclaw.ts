import { execFile } from 'node:child_process';
import type { OpenClawHome } from './openclaw-home.ts';

export interface OpenClawRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs an OpenClaw command in a home and returns its exit code. Each run takes seconds, so check several things per run. */
export function runOpenClaw(home: OpenClawHome, ...commandArguments: string[]): Promise<OpenClawRun> {
  return new Promise((resolve) => {
    const options = { env: home.environment, cwd: home.folder, maxBuffer: 64 * 1024 * 1024 };
    execFile(home.command, commandArguments, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}
