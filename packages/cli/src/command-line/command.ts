import type { UsageError } from '../usage-error.ts';
import type { Terminal } from './terminal.ts';

/** What the overview shows of a command. */
export interface CommandSummary {
  /** One to three words, for example `serve`, `keys add` or `hub agents list`. */
  readonly name: string;
  /** One sentence, shown in the overview and at the top of its help. */
  readonly summary: string;
  /** Names of the positional arguments, all required. */
  readonly operands?: readonly string[];
  /** The name of any number of further ones. */
  readonly furtherOperands?: string;
}

/** A part of the overview. */
export interface CommandTopic {
  readonly title: string;
  /** The first words of its commands. With a sentence that sums them up, if there are several. */
  readonly words: Readonly<Record<string, string | undefined>>;
}

/** One command of the program: its name, its arguments and what it does. Help texts are rendered from it. */
export interface Command extends CommandSummary {
  /** What a user has to know beyond the summary. */
  readonly details?: string;
  readonly options: Readonly<Record<string, OptionDescription>>;
  /** Further sections of the help: a title, and rows of a name and its meaning. */
  readonly lists?: Readonly<Record<string, readonly (readonly [string, string])[]>>;
  readonly examples: readonly Example[];
  /** The page below docs/ to read next. */
  readonly page: string;
  /** Reports a wrong command line in the way of this command. Returns the exit code. */
  readonly misused?: (error: UsageError, words: readonly string[], terminal: Terminal) => number;
  /** Resolves with the exit code. */
  run(input: CommandInput): Promise<number>;
}

export interface Example {
  readonly command: string;
  /** What the command line does. */
  readonly comment: string;
}

export interface OptionDescription {
  /** One letter that stands for the name. */
  readonly short?: string | undefined;
  /** Stands for the value in the help text; absent for a switch, which takes none. */
  readonly value?: string | undefined;
  readonly description: string;
  /** The value that applies if the option is not given, in words where it depends on something. */
  readonly default?: string | undefined;
  /** The environment variable that sets the same. */
  readonly environment?: string | undefined;
  /** Whether a switch can also be on without being given, so that `--no-NAME` means something. */
  readonly negatable?: boolean | undefined;
  /** Whether it may be given several times; then all values count, otherwise the last. */
  readonly repeatable?: boolean | undefined;
}

export interface GivenArgument {
  readonly name: string | undefined;
  readonly value: string;
}

export interface CommandInput {
  readonly operands: readonly string[];
  /** Options as given, by their name without dashes; a switch that was given is `true`. */
  readonly options: Readonly<Record<string, string>>;
  /** All values of repeatable options. */
  readonly repeated: Readonly<Record<string, readonly string[]>>;
  /** Operands and options in the order in which they were given; an operand has no name. */
  readonly given: readonly GivenArgument[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  readonly terminal: Terminal;
  /** Loads every command of the program. */
  readonly allCommands: () => Promise<readonly Command[]>;
}
