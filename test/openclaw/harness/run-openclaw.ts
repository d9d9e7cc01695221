import { execFile } from 'node:child_process';
import type { OpenClawHome } from './openclaw-home.ts';

export interface OpenClawRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command of OpenClaw in a home, whatever its end. It takes seconds: ask much of each. */
export function runOpenClaw(home: OpenClawHome, ...commandArguments: string[]): Promise<OpenClawRun> {
  return new Promise((resolve) => {
    const options = { env: home.environment, cwd: home.folder, maxBuffer: 64 * 1024 * 1024 };
    execFile(home.command, commandArguments, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}
