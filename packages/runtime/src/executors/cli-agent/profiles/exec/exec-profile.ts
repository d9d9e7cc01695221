import { AgentOptionsError } from '../../../executor-errors.ts';
import type { CliEnd, CliOutcome, CliProfile, CliTurn } from '../../profile.ts';
import { failedProcess } from '../../readers/failed-process.ts';
import { splitCommandLine } from './split-command-line.ts';

export interface ExecOptions {
  /** The command and its arguments, split into words without a shell: `summarise --text {prompt}`. */
  command: string;
  /** Shows output as it is printed instead of all at its end. */
  stream?: boolean;
}

const PLACEHOLDER = '{prompt}';

/**
 * Any command as an agent. The message takes the place of `{prompt}`, inside one argument whatever it holds, or goes to
 * the standard input where there is no `{prompt}`. What the command prints is the answer; an exit code above 0 is a
 * failure. It remembers nothing.
 */
export function execProfile({ command: line, stream = false }: ExecOptions): CliProfile {
  const [file, ...words] = splitCommandLine(line);
  if (file === undefined) throw new AgentOptionsError('No command to run. Example: exec:"wc -w"');
  return {
    name: 'exec',
    card: {
      name: file,
      description: `Runs the command ${file} with each message and answers with what it prints.`,
    },
    command: (turn) => commandFor(turn, file, words),
    reader: () => {
      const pieces: string[] = [];
      return {
        read: (text) => {
          pieces.push(text);
          return stream ? [{ kind: 'text', text }] : [];
        },
        finish: (end) => outcomeOf(file, pieces.join('').trimEnd(), end),
      };
    },
  };
}

function commandFor(
  { prompt }: CliTurn,
  file: string,
  words: readonly string[],
): ReturnType<CliProfile['command']> {
  if (!words.some((word) => word.includes(PLACEHOLDER))) return { file, arguments: words, input: prompt };
  return { file, arguments: words.map((word) => word.replaceAll(PLACEHOLDER, () => prompt)) };
}

function outcomeOf(file: string, answer: string, end: CliEnd): CliOutcome {
  const parts = answer === '' ? undefined : { parts: [{ text: answer }] };
  if (end.exitCode === 0) return { state: 'completed', ...parts };
  return { ...failedProcess(file, end), ...parts };
}
