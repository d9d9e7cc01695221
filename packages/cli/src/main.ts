#!/usr/bin/env node
import { runCli } from './run-cli.ts';
import { createTerminal } from './terminal/terminal.ts';

process.exitCode = await runCli(process.argv.slice(2), {
  environment: process.env,
  workingFolder: process.cwd(),
  terminal: createTerminal(process.stdout, process.stderr, process.env),
});
