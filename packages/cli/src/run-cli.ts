import { nearestName } from '@holdword/protocol/internal';
import type { Command, CommandInput } from './arguments/command.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { renderGroup, renderHelp, renderOverview } from './arguments/render-help.ts';
import { ALL_COMMANDS } from './commands/all-commands.ts';
import { CommandError, UsageError } from './usage-error.ts';
import { version } from './version.ts';

const VERSION_WORDS = ['--version', '-v', '-V', 'version'];

type ProcessContext = Pick<CommandInput, 'environment' | 'workingFolder' | 'terminal'>;

/** Runs one command line. Resolves with the exit code: 0 for success, 1 for a failure, 2 for a usage error. */
export async function runCli(words: readonly string[], context: ProcessContext): Promise<number> {
  const { terminal } = context;
  try {
    return await dispatch(words, context);
  } catch (error) {
    const expected = error instanceof UsageError || error instanceof CommandError;
    const text = expected ? error.message : error instanceof Error ? error.stack : String(error);
    terminal.error(`${terminal.style('red', 'holdword:')} ${text}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function dispatch(words: readonly string[], context: ProcessContext): Promise<number> {
  const { terminal } = context;
  const [first, ...rest] = words;
  if (first !== undefined && VERSION_WORDS.includes(first)) {
    terminal.out(`${version()}\n`);
    return 0;
  }
  if (first === undefined || first === 'help' || isHelp(first)) {
    terminal.out(helpOn(rest, terminal.columns));
    return 0;
  }
  const command = findCommand(words);
  if (command === undefined) {
    if (first.startsWith('-')) throw unknownOption(first);
    const named = words.filter((word) => !isHelp(word));
    if (named.length === words.length) throw unknownCommand(words);
    terminal.out(helpOn(named, terminal.columns));
    return 0;
  }
  const { operands, options, repeated, helpWanted } = parseArguments(
    command,
    words.slice(command.name.split(' ').length),
  );
  if (helpWanted) {
    terminal.out(renderHelp(command, terminal.columns));
    return 0;
  }
  return command.run({ ...context, operands, options, repeated });
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** The command with the longest matching name: `mcp check` is not `mcp` with an operand. */
function findCommand(words: readonly string[]): Command | undefined {
  const matching = ALL_COMMANDS.filter(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  return matching.toSorted((a, b) => b.name.length - a.name.length)[0];
}

function helpOn(words: readonly string[], width: number): string {
  const [first] = words;
  if (first === undefined) return renderOverview(ALL_COMMANDS, width);
  const command = findCommand(words);
  if (command !== undefined) return renderHelp(command, width);
  const group = ALL_COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) throw unknownCommand(words);
  return renderGroup(first, group, width);
}

function unknownOption(given: string): UsageError {
  const nearest = nearestName(given.replace(/^-+/, ''), ['version', 'help']);
  const hint = nearest === undefined ? ' Options follow the command.' : ` Did you mean --${nearest}?`;
  return new UsageError(`Unknown option ${given}.${hint} Run "holdword help" for a list of commands.`);
}

function unknownCommand(words: readonly string[]): UsageError {
  const [first = '', second] = words;
  const names = ALL_COMMANDS.map(({ name }) => name);
  const group = names.filter((name) => name.startsWith(`${first} `));
  if (group.length > 0 && (second === undefined || second.startsWith('-'))) {
    return new UsageError(`Missing subcommand: use ${group.map((name) => `holdword ${name}`).join(', ')}.`);
  }
  const given = group.length > 0 ? `${first} ${second}` : first;
  const nearest = nearestName(given, names);
  const hint = nearest === undefined ? '' : ` Did you mean "holdword ${nearest}"?`;
  return new UsageError(`Unknown command "${given}".${hint} Run "holdword help" for a list of commands.`);
}
