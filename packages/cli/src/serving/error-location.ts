import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TIMEOUT_MILLISECONDS = 10_000;

/** The location of an error that the import of a file threw, as `file:line`. Undefined if it is unknown. */
export async function errorLocation(error: Error, file: string): Promise<string | undefined> {
  return error instanceof SyntaxError ? syntaxErrorLocation(error, file) : thrownAt(error);
}

/**
 * Node shows the location of a syntax error only if the error ends the process, so another Node process checks the file
 * without running it. Undefined if the file is valid: then the error is in a module that it imports.
 */
async function syntaxErrorLocation(error: SyntaxError, file: string): Promise<string | undefined> {
  return firstLineLocation(error.stack ?? '') ?? firstLineLocation(await checkSyntax(file));
}

function checkSyntax(file: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--check', file],
      { timeout: TIMEOUT_MILLISECONDS },
      (_error, _output, errors) => resolve(errors),
    );
  });
}

/** Node prints the location on the first line. */
function firstLineLocation(text: string): string | undefined {
  const [, name = '', line] = /^(file:\/\/\S+|\/.*|[A-Za-z]:\\.*):(\d+)\r?\n/.exec(text) ?? [];
  return line === undefined ? undefined : `${pathOf(name)}:${line}`;
}

/** The innermost line of the stack outside Node, this program and, if there is one, outside installed packages. */
function thrownAt({ stack = '' }: Error): string | undefined {
  const frames: string[] = [];
  for (const line of stack.split('\n')) {
    const [, name = '', number] =
      /^ +at (?:.*\()?(?:async )?(file:\/\/.+|\/.+|[A-Za-z]:\\.+):(\d+):\d+\)?$/.exec(line) ?? [];
    if (number === undefined) continue;
    const path = pathOf(name);
    if (path.startsWith(import.meta.dirname)) break;
    frames.push(`${path}:${number}`);
  }
  return frames.find((frame) => !/[\\/]node_modules[\\/]/.test(frame)) ?? frames[0];
}

function pathOf(name: string): string {
  return name.startsWith('file:') ? fileURLToPath(name) : name;
}
