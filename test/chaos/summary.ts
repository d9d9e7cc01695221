/** Prints the results of a campaign as `name: value` lines under a title. */
export function printSummary(title: string, facts: Readonly<Record<string, string | number>>): void {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  const lines = Object.entries(facts).map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  process.stdout.write(`${[title, ...lines].join('\n')}\n`);
}
