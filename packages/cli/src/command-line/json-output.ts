import type { CommandInput, OptionDescription } from './command.ts';
import { renderTable } from './render-table.ts';

/** The option of commands that print data. */
export const JSON_OPTION = {
  json: { description: 'Print JSON, for programs' },
} as const satisfies Record<string, OptionDescription>;

/** Prints data: as JSON if the user asked for it, otherwise as `text` says it. */
export function printData(
  { options, terminal }: Pick<CommandInput, 'options' | 'terminal'>,
  data: unknown,
  text: () => void,
): void {
  if (options['json'] === undefined) text();
  else terminal.out(`${JSON.stringify(data, null, 2)}\n`);
}

/** Prints data: as JSON, or its rows as a table; for people without rows, what `none` says. */
export function printTable(
  input: Pick<CommandInput, 'options' | 'terminal'>,
  data: unknown,
  table: { head: readonly string[]; rows: readonly (readonly string[])[]; none: string },
): void {
  printData(input, data, () => {
    if (table.rows.length > 0) input.terminal.out(renderTable(table.head, table.rows));
    else input.terminal.error(`${table.none}\n`);
  });
}
