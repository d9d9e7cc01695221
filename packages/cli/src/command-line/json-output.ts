import type { CommandInput, OptionDescription } from './command.ts';

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
