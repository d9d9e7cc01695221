import { nearestName } from '@holdword/protocol/internal';
import type { Command, CommandInput } from './arguments/command.ts';
import { parseArguments } from './arguments/parse-arguments.ts';
import { renderHelp, renderOverview } from './arguments/render-help.ts';
import { ALL_COMMANDS } from './commands/all-commands.ts';
import { CommandError, UsageError } from './usage-error.ts';
import { version } from './version.ts';

type Surroundings = Pick<CommandInput, 'environment' | 'workingFolder' | 'terminal'>;

/** Runs one command line. Resolves with the exit code: 0 done, 1 failed, 2 not understood. */
export async function runCli(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal } = surroundings;
  try {
    return await dispatch(words, surroundings);
  } catch (error) {
    const expected = error instanceof UsageError || error instanceof CommandError;
    const text = expected ? error.message : error instanceof Error ? error.stack : String(error);
    terminal.error(`${terminal.style('red', 'holdword:')} ${text}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function dispatch(words: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal } = surroundings;
  const [first, ...rest] = words;
  if (first === '--version') {
    terminal.out(`${version()}\n`);
    return 0;
  }
  if (first === undefined || first === 'help' || isHelp(first)) {
    terminal.out(helpOn(rest));
    return 0;
  }
  const command = findCommand(words);
  if (command === undefined) {
    const named = words.filter((word) => !isHelp(word));
    if (named.length === words.length) throw unknownCommand(words);
    terminal.out(helpOn(named));
    return 0;
  }
  const { operands, options, repeated, helpWanted } = parseArguments(
    command,
    words.slice(command.name.split(' ').length),
  );
  if (helpWanted) {
    terminal.out(renderHelp(command));
    return 0;
  }
  return command.run({ ...surroundings, operands, options, repeated });
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

function findCommand(words: readonly string[]): Command | undefined {
  return ALL_COMMANDS.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
}

function helpOn(words: readonly string[]): string {
  if (words.length === 0) return renderOverview(ALL_COMMANDS);
  const command = findCommand(words);
  if (command !== undefined) return renderHelp(command);
  const group = ALL_COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `));
  if (group.length === 0) throw unknownCommand(words);
  return group.map(renderHelp).join('\n');
}

function unknownCommand(words: readonly string[]): UsageError {
  const [first = '', second] = words;
  const names = ALL_COMMANDS.map(({ name }) => name);
  const group = names.filter((name) => name.startsWith(`${first} `));
  if (group.length > 0 && (second === undefined || second.startsWith('-'))) {
    return new UsageError(`${first} needs one more word: ${group.join(', ')}.`);
  }
  const given = group.length > 0 ? `${first} ${second}` : first;
  const nearest = nearestName(given, names);
  const hint = nearest === undefined ? '' : ` Did you mean: holdword ${nearest}?`;
  return new UsageError(`There is no command "${given}".${hint} See: holdword help`);
}
