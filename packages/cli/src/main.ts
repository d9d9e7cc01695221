#!/usr/bin/env node
import { runCli } from './run-cli.ts';
import { createTerminal } from './terminal/terminal.ts';

/** How long what a command left behind may still take, such as output on its way. */
const LAST_MILLISECONDS = 1_000;

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  workingFolder: process.cwd(),
  terminal: createTerminal(process.stdout, process.stderr, process.env),
});
// An agent's module may hold a connection or a timer open; it must not keep a server that has stopped.
setTimeout(() => process.exit(), LAST_MILLISECONDS).unref();
