import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Executor } from '@parley/runtime';
import { CommandError, UsageError } from '../usage-error.ts';

/** The executor that a module default-exports. */
export async function loadAgentModule(file: string): Promise<Executor> {
  if (!existsSync(file)) throw new UsageError(`The agent module ${file} does not exist.`);
  if (!statSync(file).isFile()) {
    throw new UsageError(`The agent module ${file} is a folder: name the file in it that exports the agent.`);
  }
  return executorOf(file, await importModule(file));
}

async function importModule(file: string): Promise<{ default?: unknown }> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    throw new CommandError(
      `The agent module ${file} could not be loaded: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
}

function executorOf(file: string, { default: exported }: { default?: unknown }): Executor {
  if (exported === undefined) {
    throw new UsageError(
      `${basename(file)} has no default export. End it with: export default { async execute(turn, sink) { ... } }`,
    );
  }
  if (!isExecutor(exported)) {
    throw new UsageError(
      `The default export of ${basename(file)} is ${describe(exported)}, expected an object with the method execute(turn, sink).`,
    );
  }
  return exported;
}

function isExecutor(value: unknown): value is Executor {
  return (
    typeof value === 'object' && value !== null && 'execute' in value && typeof value.execute === 'function'
  );
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object without it' : `a ${typeof value}`;
}
