import type { CliEnd, CliOutcome, CliReader } from '../profile.ts';

/** A reader for programs that do not stream: reads the whole output when the process has exited. */
export function wholeOutputReader(
  interpret: (output: string, end: CliEnd) => CliOutcome | Promise<CliOutcome>,
): CliReader {
  const pieces: string[] = [];
  return {
    read: (text) => {
      pieces.push(text);
      return [];
    },
    finish: (end) => interpret(pieces.join(''), end),
  };
}
