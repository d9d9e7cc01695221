import { accessSync, constants, statSync } from 'node:fs';
import { TerminalError } from '../executor-errors.ts';

/** What could not be started. */
export interface AttemptedStart {
  /** As it was configured, for that is what its operator can correct. */
  readonly file: string;
  readonly workingDirectory: string;
}

/** Why a program could not be started, in words for whoever asked for it. */
export function processError(error: unknown, start: AttemptedStart): TerminalError {
  return new TerminalError(describe(codeOf(error), start), { cause: error });
}

function describe(code: string | undefined, { file, workingDirectory }: AttemptedStart): string {
  // The system says ENOENT for a folder that is missing, too.
  if (!isFolder(workingDirectory)) {
    return 'The working directory of the agent does not exist or cannot be entered. Its operator has to create it.';
  }
  if (code === 'ENOENT') {
    return `The program "${file}" was not found. Install it, or configure the path under which it is found.`;
  }
  if (code === 'EACCES') {
    return `The program "${file}" may not be executed. Check its permissions, or configure another path.`;
  }
  if (code === 'E2BIG') {
    return `The message is too long for the command line of "${file}". Send a shorter one.`;
  }
  if (code === 'ERR_INVALID_ARG_VALUE') {
    return `The message holds a zero character, which the command line of "${file}" cannot carry. Send it without.`;
  }
  return `The program "${file}" could not be started (${code ?? 'unknown reason'}).`;
}

function isFolder(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
