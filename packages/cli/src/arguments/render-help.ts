import type { Command } from './command.ts';

/** The overview of all commands. */
export function renderOverview(commands: readonly Command[]): string {
  const rows = commands.map((command): [string, string] => [usageOf(command), command.summary]);
  return [
    'holdword: run an agent durably and let others talk to it over A2A.',
    '',
    'Commands:',
    ...columns(rows),
    '',
    'holdword help COMMAND tells more about one, holdword --version the version.',
    '',
  ].join('\n');
}

/** The page of one command, or of a group such as `keys`. */
export function renderHelp(command: Command): string {
  const rows = Object.entries(command.options).map(([name, option]): [string, string] => [
    option.value === undefined ? `--${name}` : `--${name} ${option.value}`,
    option.environment === undefined ? option.description : `${option.description} [${option.environment}]`,
  ]);
  const options = rows.length === 0 ? '' : ' [options]';
  return [
    `Usage: holdword ${usageOf(command)}${options}`,
    '',
    command.summary,
    ...(rows.length === 0 ? [] : ['', 'Options:', ...columns(rows)]),
    ...Object.entries(command.lists ?? {}).flatMap(([title, list]) => ['', `${title}:`, ...columns(list)]),
    '',
  ].join('\n');
}

function usageOf(command: Command): string {
  return [command.name, ...(command.operands ?? [])].join(' ');
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
