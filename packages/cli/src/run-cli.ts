import type { ProcessContext } from './run-command.ts';
import { CommandError, UsageError } from './usage-error.ts';
import { version } from './version.ts';

const VERSION_OPTIONS = ['--version', '-v', '-V'];

/** Runs one command line. Resolves with the exit code: 0 for success, 1 for a failure, 2 for a usage error. */
export async function runCli(words: readonly string[], context: ProcessContext): Promise<number> {
  const { terminal } = context;
  try {
    const code = await run(words, context);
    await terminal.written();
    return code;
  } catch (error) {
    const expected = error instanceof UsageError || error instanceof CommandError;
    const text = expected ? error.message : error instanceof Error ? error.stack : String(error);
    terminal.error(`${terminal.style('red', 'holdword:')} ${text}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(words: readonly string[], context: ProcessContext): Promise<number> {
  if (VERSION_OPTIONS.includes(words[0] ?? '')) {
    context.terminal.out(`${version()}\n`);
    return 0;
  }
  // The version is printed without loading any of the commands.
  const { runCommand } = await import('./run-command.ts');
  return runCommand(words, context);
}
