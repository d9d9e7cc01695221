import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { agentCardSchema, describeIssues } from '@holdword/protocol/internal';
import type { Executor } from '@holdword/runtime';
import { CommandError, UsageError } from '../usage-error.ts';
import { commonJSProblem } from './commonjs-problem.ts';
import { errorLocation } from './error-location.ts';

const LOAD_TIMEOUT_MILLISECONDS = 30_000;

const OPTIONAL = {
  version: true,
  documentationUrl: true,
  iconUrl: true,
  provider: true,
  defaultInputModes: true,
  defaultOutputModes: true,
  skills: true,
} as const;

/** The part of the card that an agent defines; the server adds the rest. */
const descriptionSchema = agentCardSchema
  .pick({ name: true, description: true, ...OPTIONAL })
  .partial(OPTIONAL);

/** The executor that a module default-exports. */
export async function loadAgentModule(
  file: string,
  timeoutMilliseconds = LOAD_TIMEOUT_MILLISECONDS,
): Promise<Executor> {
  if (!existsSync(file)) throw new UsageError(`The agent module ${file} does not exist.`);
  if (!statSync(file).isFile()) {
    throw new UsageError(
      `The agent module ${file} is a folder. Give the path of the file that exports the agent.`,
    );
  }
  const problem = await commonJSProblem(file);
  if (problem !== undefined) throw notLoaded(file, problem);
  return executorOf(file, await importWithTimeout(file, timeoutMilliseconds));
}

/** The timer also keeps the process alive: Node exits when nothing but a pending import is left. */
async function importWithTimeout(file: string, timeoutMilliseconds: number): Promise<{ default?: unknown }> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(
      new CommandError(
        `The agent module ${file} did not load within ${timeoutMilliseconds / 1000} s: a top-level await in it, or ` +
          'in a module that it imports, does not resolve. Move slow work to execute(turn, sink).',
      ),
    );
  }, timeoutMilliseconds);
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
    if (!(error instanceof Error)) throw notLoaded(file, String(error), error);
    const location = await errorLocation(error, file);
    const message = `${location === undefined ? '' : `${location}: `}${error.message}`;
    throw notLoaded(file, `${message}${typeImportAdvice(error.message, location ?? file)}`, error);
  }
}

/** Types do not exist when the module runs: Node removes them, and does not find those that are imported like values. */
function typeImportAdvice(message: string, location: string): string {
  const [, name] = /does not provide an export named '([^']+)'/.exec(message) ?? [];
  if (name === undefined || !/\.m?ts(?::\d+)?$/.test(location)) return '';
  return `. If ${name} is a type, write: import type { ${name} }`;
}

function notLoaded(file: string, reason: string, cause?: unknown): CommandError {
  return new CommandError(`The agent module ${file} could not be loaded: ${reason}`, { cause });
}

function executorOf(file: string, { default: exported }: { default?: unknown }): Executor {
  if (exported === undefined) {
    throw new UsageError(
      `${basename(file)} has no default export. Add: export default { async execute(turn, sink) { ... } }`,
    );
  }
  if (!isExecutor(exported)) {
    throw new UsageError(
      `The default export of ${basename(file)} is ${describe(exported)}. Export an object with a method execute(turn, sink).`,
    );
  }
  checkCard(file, exported.card);
  return exported;
}

function checkCard(file: string, card: unknown): void {
  if (card === undefined || card === null) return;
  const { error } = descriptionSchema.safeParse(card);
  if (error === undefined) return;
  throw new UsageError(`Invalid agent card in ${basename(file)}: ${describeIssues(error.issues, card)}.`);
}

function isExecutor(value: unknown): value is Executor {
  return (
    typeof value === 'object' && value !== null && 'execute' in value && typeof value.execute === 'function'
  );
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? 'an object without execute' : `a ${typeof value}`;
}
