/** An option as a single argument, so that no value is mistaken for an option; empty without a value. */
export function optionArgument(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}
