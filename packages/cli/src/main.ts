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
  const words = process.argv.slice(2);
  const { isBundled } = await import('./commands/bundled-commands.ts');
  const { runCli, createTerminal } = isBundled(words) ? await import('./bundled.ts') : await loadFiles(words);
  process.exitCode = await runCli(words, {
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

/** Every module from a file, as libraries have them. */
async function loadFiles([first = '']: readonly string[]) {
  if (!LONG_RUNNING.includes(first)) keepCompiledCode();
  const { runCli } = await import('./run-cli.ts');
  const { createTerminal } = await import('./command-line/terminal.ts');
  return { runCli, createTerminal };
}

/**
 * Lets the next command start without compiling the same code again, which is most of its time. In a folder of this user: who can
 * write there decides what is run. Without such a folder, code is compiled as before.
 */
function keepCompiledCode(): void {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  module.enableCompileCache(join(cache, 'holdword'));
}
