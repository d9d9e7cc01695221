import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Executor } from '@parley/runtime';
import { nearestName } from '../arguments/nearest-name.ts';
import { isModulePath } from '../config/resolve-config.ts';
import { CommandError, UsageError } from '../usage-error.ts';

const BUILT_IN: Record<string, () => Promise<Executor>> = {
  demo: async () => (await import('@parley/runtime/demo')).demoAgent,
};

/** The executor behind `--agent`: a built-in by its name, or the default export of a module. */
export async function loadAgent(agent: string): Promise<Executor> {
  const builtIn = BUILT_IN[agent];
  if (builtIn !== undefined) return builtIn();
  if (!isModulePath(agent)) throw unknownName(agent);
  if (!existsSync(agent)) throw new UsageError(`The agent module ${agent} does not exist.`);
  if (!statSync(agent).isFile()) {
    throw new UsageError(
      `The agent module ${agent} is a folder: name the file in it that exports the agent.`,
    );
  }
  return executorOf(agent, await importModule(agent));
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

function unknownName(agent: string): UsageError {
  const names = Object.keys(BUILT_IN);
  const nearest = nearestName(agent, names);
  return new UsageError(
    `There is no built-in agent "${agent}"${nearest === undefined ? '' : `, did you mean "${nearest}"?`} ` +
      `Built in: ${names.join(', ')}. A module of your own is named by its path: ./${agent}.ts`,
  );
}
