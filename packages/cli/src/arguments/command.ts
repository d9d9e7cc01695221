import type { Terminal } from '../terminal/terminal.ts';

/** One command of the program: what it is called, what it takes, what it does. Help texts come from here. */
export interface Command {
  /** One or two words, for example `serve` or `keys add`. */
  readonly name: string;
  readonly summary: string;
  /** Names of the words that follow the command, all required. */
  readonly operands?: readonly string[];
  readonly options: Readonly<Record<string, OptionDescription>>;
  /** What the help shows below the options: titles, and rows of a name and its meaning. */
  readonly lists?: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  /** Resolves with the exit code. */
  run(input: CommandInput): Promise<number>;
}

export interface OptionDescription {
  /** What stands for the value in the help text; absent for a switch, which takes none. */
  readonly value?: string;
  readonly description: string;
  /** The environment variable that says the same. */
  readonly environment?: string;
  /** Whether it may be given several times; then all values count, otherwise the last. */
  readonly repeatable?: boolean;
}

export interface CommandInput {
  readonly operands: readonly string[];
  /** Options as given, by their name without dashes; a switch that was given is `true`. */
  readonly options: Readonly<Record<string, string>>;
  /** All values of the options that may be given several times. */
  readonly repeated: Readonly<Record<string, readonly string[]>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  readonly terminal: Terminal;
}
