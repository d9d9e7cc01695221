import type { Command, CommandSummary, CommandTopic, OptionDescription } from './command.ts';

const DOCUMENTATION = 'https://github.com/holdword/holdword/blob/main/docs/';
const HELP_ROW = ['-h, --help', 'Show this help'] as const;

/** A name, its meaning, and a note that starts a line. */
type Row = readonly [name: string, meaning: string, note?: string];

/** The overview of all commands by topic, for a terminal of so many columns. */
export function renderOverview(
  topics: readonly CommandTopic[],
  commands: readonly CommandSummary[],
  width: number,
): string {
  const rows = topics.map(({ words }) =>
    Object.entries(words).map(([word, summary]) => topicRow(word, summary, commands)),
  );
  const left = leftOf([...rows.flat(), ...GLOBAL_OPTIONS]);
  return lines([
    'Holdword serves any agent over A2A and keeps its tasks through crashes and restarts.',
    '',
    'Usage: holdword COMMAND [options]',
    ...topics.flatMap(({ title }, index) => ['', `${title}:`, ...columns(rows[index] ?? [], width, left)]),
    '',
    'Options:',
    ...columns(GLOBAL_OPTIONS, width, left),
    '',
    'Run "holdword help COMMAND" for options and examples, or for the commands that begin with a word.',
    `Documentation: ${DOCUMENTATION}README.md`,
  ]);
}

const GLOBAL_OPTIONS: readonly Row[] = [
  ['-h, --help', 'Show the help of a command'],
  ['-v, --version', 'Print the version'],
];

/** A single command as it is used, or a word that several commands begin with. */
function topicRow(word: string, summary: string | undefined, commands: readonly CommandSummary[]): Row {
  const [only] = commands.filter(({ name }) => name === word || name.startsWith(`${word} `));
  if (summary === undefined && only !== undefined) return overviewRow(only);
  return [word, withoutStop(summary ?? '')];
}

/** The commands that begin with the same word, such as `keys`. */
export function renderGroup(name: string, commands: readonly CommandSummary[], width: number): string {
  return lines([
    `Usage: holdword ${name} COMMAND [options]`,
    '',
    'Commands:',
    ...columns(commands.map(overviewRow), width),
    '',
    `Run "holdword help ${name} COMMAND" for the options and examples of a command.`,
  ]);
}

/** The help of one command, which names the `further` commands that begin with the same word. */
export function renderHelp(command: Command, width: number, further: readonly CommandSummary[] = []): string {
  const { summary, details, lists = {}, examples, page } = command;
  return lines([
    summary,
    ...(details === undefined ? [] : wrap(details, width)),
    '',
    `Usage: holdword ${usageOf(command)} [options]`,
    '',
    'Options:',
    ...columns([...Object.entries(command.options).map(optionRow), HELP_ROW], width),
    ...(further.length === 0 ? [] : ['', 'Further commands:', ...columns(further.map(overviewRow), width)]),
    ...Object.entries(lists).flatMap(([title, rows]) => ['', `${title}:`, ...columns(rows, width)]),
    '',
    'Examples:',
    ...examples.flatMap((example, index) => [
      ...(index === 0 ? [] : ['']),
      `  # ${example.comment}`,
      `  ${example.command}`,
    ]),
    '',
    `Read more: ${DOCUMENTATION}${page}`,
  ]);
}

function overviewRow(command: CommandSummary): Row {
  return [usageOf(command), withoutStop(command.summary)];
}

function withoutStop(sentence: string): string {
  return sentence.replace(/\.$/, '');
}

function optionRow([name, option]: [string, OptionDescription]): Row {
  const { value, description, default: fallback, environment, negatable } = option;
  const notes = [
    ...(fallback === undefined ? [] : [`[default: ${fallback}]`]),
    ...(environment === undefined ? [] : [`[env: ${environment}]`]),
  ];
  const long = negatable === true ? `--[no-]${name}` : `--${name}`;
  const shown = option.short === undefined ? long : `-${option.short}, ${long}`;
  return [value === undefined ? shown : `${shown} ${value}`, description, notes.join(' ')];
}

/** The command with its operands, as help and errors show it. */
export function usageOf({ name, operands = [], furtherOperands }: CommandSummary): string {
  return [name, ...operands, ...(furtherOperands === undefined ? [] : [`[${furtherOperands}...]`])].join(' ');
}

/** Two columns; the right one is wrapped and stays aligned. */
function columns(rows: readonly Row[], width: number, left: number = leftOf(rows)): string[] {
  return rows.flatMap(([name, meaning, note = '']) => {
    const right = [...wrap(meaning, width - left), ...(note === '' ? [] : wrap(note, width - left))];
    return right.map((line, index) => `${(index === 0 ? `  ${name}` : '').padEnd(left)}${line}`);
  });
}

/** The width of the left column. */
function leftOf(rows: readonly Row[]): number {
  return Math.max(...rows.map(([name]) => name.length)) + 4;
}

/** Breaks a text between words; a word that is longer than a line stays whole. */
function wrap(text: string, width: number): string[] {
  const wrapped: string[] = [];
  for (const word of text.split(' ')) {
    const last = wrapped.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) wrapped.push(word);
    else wrapped[wrapped.length - 1] = `${last} ${word}`;
  }
  return wrapped;
}

function lines(all: readonly string[]): string {
  return all.map((line) => `${line}\n`).join('');
}
