#!/usr/bin/env -S node --no-allocation-site-pretenuring
// Everything but the check of the Node version is imported after it: on an unsupported Node some of it would not even load.
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { unsupportedNode } from '@holdword/net/internal/supported-node';

/** How long pending work of a finished command, such as output in flight, may still take. */
const EXIT_DELAY_MILLISECONDS = 1_000;

/** A server is started rarely, and compiles what it runs for long as it runs. */
const LONG_RUNNING = ['serve', 'hub', 'mcp'];

const problem = unsupportedNode(process.versions.node);
if (problem === undefined) {
  if (!LONG_RUNNING.includes(process.argv[2] ?? '')) keepCompiledCode();
  const { runCli } = await import('./run-cli.ts');
  const { createTerminal } = await import('./command-line/terminal.ts');
  process.exitCode = await runCli(process.argv.slice(2), {
    environment: process.env,
    workingFolder: process.cwd(),
    terminal: createTerminal(process.stdout, process.stderr, process.env, () => process.stdin),
  });
  // An agent module may leave a connection or a timer open; a stopped server exits anyway.
  setTimeout(() => process.exit(), EXIT_DELAY_MILLISECONDS).unref();
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

/**
 * Lets the next command start without compiling the same code again, which is most of its time. In a folder of this user: who can
 * write there decides what is run. Without such a folder, code is compiled as before.
 */
function keepCompiledCode(): void {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  module.enableCompileCache(join(cache, 'holdword'));
}
