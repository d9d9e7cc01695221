import type { Command, CommandInput, CommandSummary } from './command-line/command.ts';
import type { ParsedArguments } from './command-line/parse-arguments.ts';
import { renderGroup, renderHelp, renderOverview } from './command-line/render-help.ts';
import { loadAllCommands, loadCommands } from './commands/all-commands.ts';
import { COMMAND_LIST, TOPICS } from './commands/command-list.ts';
import { UsageError } from './usage-error.ts';

export type ProcessContext = Pick<CommandInput, 'environment' | 'workingFolder' | 'terminal'>;

/** Finds the command that the words name, parses the others and runs it, or shows help. Resolves with the exit code. */
export async function runCommand(words: readonly string[], context: ProcessContext): Promise<number> {
  const { terminal } = context;
  const [first, ...rest] = words;
  if (first === undefined || first === 'help' || isHelp(first)) {
    terminal.out(await helpOn(rest, terminal.columns));
    return 0;
  }
  const command = await findCommand(words);
  if (command === undefined || isGroup(words, command)) {
    if (first.startsWith('-')) throw await unknownOption(first);
    const named = words.filter((word) => !isHelp(word));
    if (named.length === words.length) throw await unknownCommand(words);
    terminal.out(await helpOn(named, terminal.columns));
    return 0;
  }
  const { parseArguments } = await import('./command-line/parse-arguments.ts');
  const own = words.slice(command.name.split(' ').length);
  let parsed: ParsedArguments;
  try {
    parsed = parseArguments(command, own);
  } catch (error) {
    if (command.misused === undefined || !(error instanceof UsageError)) throw error;
    return command.misused(error, own, terminal);
  }
  const { helpWanted, ...given } = parsed;
  if (helpWanted) {
    terminal.out(renderHelp(command, terminal.columns, commandsBelow(command.name)));
    return 0;
  }
  return command.run({ ...context, ...given, allCommands: loadAllCommands });
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** The command with the longest matching name: `mcp check` is not `mcp` with an operand. */
async function findCommand(words: readonly string[]): Promise<Command | undefined> {
  const commands = (await loadCommands(words)) ?? [];
  const matching = commands.filter(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  return matching.toSorted((a, b) => b.name.length - a.name.length)[0];
}

async function helpOn(words: readonly string[], width: number): Promise<string> {
  const [first] = words;
  if (first === undefined) return renderOverview(TOPICS, COMMAND_LIST, width);
  const command = await findCommand(words);
  if (command !== undefined && !isGroup(words, command)) {
    const [extra] = words.slice(command.name.split(' ').length);
    if (extra === undefined || isHelp(extra)) return renderHelp(command, width, commandsBelow(command.name));
    throw new UsageError(`Unexpected "${extra}" after "help ${command.name}".`);
  }
  const given = words.join(' ');
  const group = commandsBelow(given);
  if (group.length === 0) throw await unknownCommand(words);
  return renderGroup(given, group, width);
}

/** The commands that begin with these words and continue. */
function commandsBelow(words: string): readonly CommandSummary[] {
  return COMMAND_LIST.filter(({ name }) => name.startsWith(`${words} `));
}

/** Whether the words name several commands rather than one with an operand: `hub agents` is not `hub` with an operand. */
function isGroup([first = '', second = '']: readonly string[], { name }: Command): boolean {
  return name === first && commandsBelow(`${first} ${second}`).length > 0;
}

async function unknownOption(given: string): Promise<UsageError> {
  const nearest = await nearestName(given.replace(/^-+/, ''), ['version', 'help']);
  const hint = nearest === undefined ? ' Options follow the command.' : ` Did you mean --${nearest}?`;
  return new UsageError(`Unknown option ${given}.${hint} Run "holdword help" for a list of commands.`);
}

async function unknownCommand(words: readonly string[]): Promise<UsageError> {
  const [first = '', second, third] = words;
  const names = COMMAND_LIST.map(({ name }) => name);
  const isNested = commandsBelow(`${first} ${second}`).length > 0;
  const groupName = isNested ? `${first} ${second}` : first;
  const next = isNested ? third : second;
  const group = commandsBelow(groupName);
  if (group.length > 0 && (next === undefined || next.startsWith('-'))) {
    return new UsageError(
      `Missing subcommand: use ${group.map(({ name }) => `holdword ${name}`).join(', ')}.`,
    );
  }
  const given = group.length > 0 ? `${groupName} ${next}` : first;
  const nearest = await nearestName(given, names);
  const hint = nearest === undefined ? '' : ` Did you mean "holdword ${nearest}"?`;
  return new UsageError(`Unknown command "${given}".${hint} Run "holdword help" for a list of commands.`);
}

/** Loaded when something is wrong: the overview and the version do without. */
async function nearestName(given: string, names: readonly string[]): Promise<string | undefined> {
  const protocol = await import('@holdword/protocol/internal');
  return protocol.nearestName(given, names);
}
