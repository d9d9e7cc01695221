import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { agentCardSchema, describeIssues } from '@holdword/protocol/internal';
import type { Executor } from '@holdword/runtime';
import { CommandError, UsageError } from '../usage-error.ts';
import { syntaxErrorLocation } from './syntax-error-location.ts';

const LONGEST_LOAD_MILLISECONDS = 30_000;

const OPTIONAL = {
  version: true,
  documentationUrl: true,
  iconUrl: true,
  provider: true,
  defaultInputModes: true,
  defaultOutputModes: true,
  skills: true,
} as const;

/** What an agent says of itself; the server adds the rest of the card. */
const descriptionSchema = agentCardSchema
  .pick({ name: true, description: true, ...OPTIONAL })
  .partial(OPTIONAL);

/** The executor that a module default-exports. */
export async function loadAgentModule(
  file: string,
  longestMilliseconds = LONGEST_LOAD_MILLISECONDS,
): Promise<Executor> {
  if (!existsSync(file)) throw new UsageError(`The agent module ${file} does not exist.`);
  if (!statSync(file).isFile()) {
    throw new UsageError(`The agent module ${file} is a folder: name the file in it that exports the agent.`);
  }
  return executorOf(file, await importInTime(file, longestMilliseconds));
}

/** Node ends a program that waits for nothing but a module; the timer also keeps it until there is something to say. */
async function importInTime(file: string, longestMilliseconds: number): Promise<{ default?: unknown }> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(
      new CommandError(
        `The agent module ${file} was not loaded within ${longestMilliseconds / 1000} s: an await at its top level, or ` +
          'in a module that it imports, does not end. Wait for what takes long in execute(turn, sink).',
      ),
    );
  }, longestMilliseconds);
  try {
    return await Promise.race([importModule(file), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function importModule(file: string): Promise<{ default?: unknown }> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const location = error instanceof SyntaxError ? await syntaxErrorLocation(error, file) : undefined;
    throw new CommandError(
      `The agent module ${file} could not be loaded: ${location === undefined ? '' : `${location}: `}` +
        (error instanceof Error ? error.message : String(error)),
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
  checkCard(file, exported.card);
  return exported;
}

function checkCard(file: string, card: unknown): void {
  if (card === undefined || card === null) return;
  const { error } = descriptionSchema.safeParse(card);
  if (error === undefined) return;
  throw new UsageError(
    `The card of the agent in ${basename(file)} is not as expected. ${describeIssues(error.issues, card)}.`,
  );
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
