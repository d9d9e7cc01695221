import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const LONGEST_MILLISECONDS = 10_000;

/**
 * Where a module is not JavaScript, as `file:line`. Node keeps the location of such an error to itself unless it ends the
 * program, so that the file is given to another Node, which reads it and runs nothing. Undefined when it finds nothing
 * wrong: then the error is in a file that the module imports.
 */
export async function syntaxErrorLocation(error: SyntaxError, file: string): Promise<string | undefined> {
  return locationIn(error.stack ?? '') ?? locationIn(await checkSyntax(file));
}

function checkSyntax(file: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--check', file],
      { timeout: LONGEST_MILLISECONDS },
      (_error, _output, errors) => resolve(errors),
    );
  });
}

/** The first line, where Node begins with the location. */
function locationIn(text: string): string | undefined {
  const [, name = '', line] = /^(file:\/\/\S+|\/.*|[A-Za-z]:\\.*):(\d+)\r?\n/.exec(text) ?? [];
  if (line === undefined) return undefined;
  return `${name.startsWith('file:') ? fileURLToPath(name) : name}:${line}`;
}
