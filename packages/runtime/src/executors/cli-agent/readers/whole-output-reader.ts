import type { CliEnd, CliOutcome, CliReader } from '../profile.ts';

/** A reader for programs that say everything at once: it waits for the end and looks at the whole output then. */
export function wholeOutputReader(
  judge: (output: string, end: CliEnd) => CliOutcome | Promise<CliOutcome>,
): CliReader {
  const pieces: string[] = [];
  return {
    read: (text) => {
      pieces.push(text);
      return [];
    },
    finish: (end) => judge(pieces.join(''), end),
  };
}
