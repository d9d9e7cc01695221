import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { errorCode } from '@holdword/protocol/internal';

/** How a program is found when it is started. */
export interface ProgramLocation {
  /** A path, or a name to look up in `path`. */
  readonly file: string;
  /** The PATH of its environment. */
  readonly path: string | undefined;
  /** Relative paths are relative to it. */
  readonly workingDirectory: string;
}

/** Why a program cannot be started. Undefined if it can, as far as the file system shows. */
export function programProblem({ file, path = '', workingDirectory }: ProgramLocation): string | undefined {
  const candidates = file.includes('/') ? [file] : path.split(delimiter).map((folder) => join(folder, file));
  const problems = candidates.map((candidate) => executionProblem(resolve(workingDirectory, candidate)));
  if (problems.includes(undefined)) return undefined;
  return problems.includes('EACCES') ? notExecutable(file) : notFound(file);
}

export function notFound(file: string): string {
  return `The program "${file}" was not found. Install it, or configure its path.`;
}

export function notExecutable(file: string): string {
  return `The program "${file}" is not executable. Check its permissions, or configure another path.`;
}

/** The code of the error that starting the file would cause. */
function executionProblem(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile() ? undefined : 'EACCES';
  } catch (error) {
    return errorCode(error) ?? 'ENOENT';
  }
}
