import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TIMEOUT_MILLISECONDS = 10_000;

/**
 * The location of a syntax error in a module, as `file:line`. Node shows it only if the error ends the process, so another
 * Node process checks the file without running it. Undefined if the file is valid: then the error is in a module that it
 * imports.
 */
export async function syntaxErrorLocation(error: SyntaxError, file: string): Promise<string | undefined> {
  return locationIn(error.stack ?? '') ?? locationIn(await checkSyntax(file));
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
function locationIn(text: string): string | undefined {
  const [, name = '', line] = /^(file:\/\/\S+|\/.*|[A-Za-z]:\\.*):(\d+)\r?\n/.exec(text) ?? [];
  if (line === undefined) return undefined;
  return `${name.startsWith('file:') ? fileURLToPath(name) : name}:${line}`;
}
