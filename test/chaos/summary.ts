/** Prints what a campaign did, as lines of `name: value` under a title. */
export function printSummary(title: string, facts: Readonly<Record<string, string | number>>): void {
  const width = Math.max(...Object.keys(facts).map((name) => name.length));
  const lines = Object.entries(facts).map(([name, value]) => `  ${name.padEnd(width)}  ${value}`);
  process.stdout.write(`${[title, ...lines].join('\n')}\n`);
}
