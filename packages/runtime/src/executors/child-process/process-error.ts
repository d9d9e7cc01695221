import { accessSync, constants, statSync } from 'node:fs';
import { TerminalError } from '../executor-errors.ts';

/** The program that could not be started. */
export interface AttemptedStart {
  /** As configured, because that is what the operator can correct. */
  readonly file: string;
  readonly workingDirectory: string;
}

/** Explains to the caller why a program could not be started. */
export function processError(error: unknown, start: AttemptedStart): TerminalError {
  return new TerminalError(describe(codeOf(error), start), { cause: error });
}

function describe(code: string | undefined, { file, workingDirectory }: AttemptedStart): string {
  // A missing working directory also causes ENOENT.
  if (!isFolder(workingDirectory)) {
    return 'The working directory of the agent does not exist or is not accessible. Its operator has to create it.';
  }
  if (code === 'ENOENT') {
    return `The program "${file}" was not found. Install it, or configure its path.`;
  }
  if (code === 'EACCES') {
    return `The program "${file}" is not executable. Check its permissions, or configure another path.`;
  }
  if (code === 'E2BIG') {
    return `The message is too long for the command line of "${file}". Send a shorter message.`;
  }
  if (code === 'ERR_INVALID_ARG_VALUE') {
    return `The message contains a NUL character, which cannot be passed to "${file}". Remove it and send the message again.`;
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
