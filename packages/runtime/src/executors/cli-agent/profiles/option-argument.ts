/** An option as one argument, so that no value is taken for an option itself; nothing without a value. */
export function optionArgument(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}
