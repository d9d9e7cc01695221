#!/usr/bin/env -S node --no-allocation-site-pretenuring
// Everything but the check of the Node version is imported after it: on an unsupported Node some of it would not even load.
import { unsupportedNode } from '@holdword/net/internal/supported-node';

/** How long pending work of a finished command, such as output in flight, may still take. */
const EXIT_DELAY_MILLISECONDS = 1_000;

const problem = unsupportedNode(process.versions.node);
if (problem === undefined) {
  const { runCli } = await import('./run-cli.ts');
  const { createTerminal } = await import('./command-line/terminal.ts');
  process.exitCode = await runCli(process.argv.slice(2), {
    environment: process.env,
    workingFolder: process.cwd(),
    terminal: createTerminal(process.stdout, process.stderr, process.env),
  });
  // An agent module may leave a connection or a timer open; a stopped server exits anyway.
  setTimeout(() => process.exit(), EXIT_DELAY_MILLISECONDS).unref();
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
