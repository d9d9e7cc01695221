import { basename } from 'node:path';
import { checkArgument } from '@holdword/protocol/internal';
import { z } from 'zod';
import { AgentOptionsError, TerminalError } from '../../executor-errors.ts';
import { failedProcess } from '../output-readers.ts';
import type { CliEnd, CliOutcome, CliProfile, CliTurn } from '../profile.ts';

/** Options of `execProfile`. */
export interface ExecOptions {
  /** Command and arguments, split into words without a shell: `summarise --text {prompt}`. */
  command: string;
  /**
   * Whether output is streamed while it is printed.
   *
   * @default false
   */
  stream?: boolean;
}

const PLACEHOLDER = '{prompt}';
/** After it, nothing is an option. */
const END_OF_OPTIONS = '--';

const optionsSchema = z.looseObject({ command: z.string(), stream: z.boolean().optional() });

/**
 * Profile of any command. The message replaces `{prompt}` inside one argument, whatever it contains; without `{prompt}` it
 * is passed on stdin. What the command prints is the answer; a non-zero exit code is a failure. It keeps no conversation.
 *
 * If an argument starts with `{prompt}`, a message that starts with a dash fails, because the command would read it as an
 * option. Write `-- {prompt}` if the command knows that sign for the end of its options.
 *
 * @example
 * ```ts
 * const profile = execProfile({ command: 'grep -c {prompt} words.txt' });
 * ```
 * @throws TypeError without a command.
 * @throws AgentOptionsError (code `agent-options`) if the command is empty or has an unclosed quote.
 */
export function execProfile(options: ExecOptions): CliProfile {
  checkArgument('execProfile({ command })', optionsSchema, options);
  const { command: line, stream = false } = options;
  const [file, ...words] = splitCommandLine(line);
  if (file === undefined) throw new AgentOptionsError('No command to run. Example: exec:"wc -w"');
  // The folder is of no interest to callers.
  const name = basename(file);
  return {
    name: 'exec',
    card: {
      name,
      description: `Runs ${name} for each message and answers with its output.`,
    },
    command: (turn) => commandFor(turn, file, words),
    reader: () => {
      const pieces: string[] = [];
      return {
        read: (text) => {
          pieces.push(text);
          return stream ? [{ kind: 'text', text }] : [];
        },
        finish: (end) => outcomeOf(name, pieces.join('').trimEnd(), end),
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
  if (prompt.startsWith('-') && mayBeOption(words)) {
    throw new TerminalError(
      'This agent does not accept messages that start with a dash: its program would read them as options. ' +
        'Start the message with another character.',
    );
  }
  return { file, arguments: words.map((word) => word.replaceAll(PLACEHOLDER, () => prompt)) };
}

/** Whether the message starts an argument where the program still looks for options. */
function mayBeOption(words: readonly string[]): boolean {
  const first = words.findIndex((word) => word.startsWith(PLACEHOLDER));
  // Earlier on the line it may belong to another program: `env -- date {prompt}`.
  return first !== -1 && words[first - 1] !== END_OF_OPTIONS;
}

function outcomeOf(name: string, answer: string, end: CliEnd): CliOutcome {
  const parts = answer === '' ? undefined : { parts: [{ text: answer }] };
  if (end.exitCode === 0) return { state: 'completed', ...parts };
  return { ...failedProcess(name, end), ...parts };
}

/**
 * Splits a command line into words like a shell: at whitespace, with 'single' and "double" quotes and backslashes. There
 * are no variables, patterns or pipes: no shell ever runs it.
 */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index] as string;
    if (character === '\\' && escapes(quote, line[index + 1])) {
      index += 1;
      word = (word ?? '') + (line[index] as string);
    } else if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== undefined) throw new AgentOptionsError(`Missing closing ${quote} in the command: ${line}`);
  if (word !== undefined) words.push(word);
  return words;
}

/** Inside double quotes a backslash is literal, except before a double quote or a backslash. */
function escapes(quote: string | undefined, next: string | undefined): boolean {
  if (next === undefined || quote === "'") return false;
  return quote === undefined || next === '"' || next === '\\';
}
