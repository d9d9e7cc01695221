import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { basename, extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { agentCardSchema, describeIssues, nearestName, withTimeout } from '@holdword/protocol/internal';
import type { Executor } from '@holdword/runtime';
import { agentDescriptionSchema } from '@holdword/runtime/internal';
import { CommandError, UsageError } from '../usage-error.ts';

const LOAD_TIMEOUT_MILLISECONDS = 30_000;
const CHECK_TIMEOUT_MILLISECONDS = 10_000;
/** What Node reports for an ES module that it loads as CommonJS. */
const ES_MODULE_ERROR =
  /Unexpected token 'export'|Cannot use import statement outside a module|Cannot use 'import\.meta' outside a module/;

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
  requireModule(file);
  const problem = await commonJSProblem(file);
  if (problem !== undefined) throw notLoaded(file, problem);
  // The timer also keeps the process alive: Node exits when nothing but a pending import is left.
  const module = await withTimeout(importModule(file), timeoutMilliseconds, () => {
    const seconds = timeoutMilliseconds / 1000;
    return new CommandError(
      `The agent module ${file} did not load within ${seconds} s: a top-level await in it, or in a module that it ` +
        'imports, does not resolve. Move slow work to execute(turn, sink).',
    );
  });
  return executorOf(file, module);
}

/** Rejects a path that cannot be a module. */
export function requireModule(file: string): void {
  if (!existsSync(file)) throw new UsageError(`The agent module ${file} does not exist.`);
  if (!statSync(file).isFile()) {
    throw new UsageError(
      `The agent module ${file} is a folder. Give the path of the file that exports the agent.`,
    );
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
  if (error === undefined) return checkFields(file, card);
  throw new UsageError(
    `Invalid agent card in ${basename(file)}: ${describeIssues(error.issues, card)}.${misspelled(card)}`,
  );
}

/** A field that the card does not have would be dropped. */
function checkFields(file: string, card: unknown): void {
  const { error } = agentDescriptionSchema.safeParse(card);
  if (error === undefined) return;
  throw new UsageError(`Invalid agent card in ${basename(file)}: ${describeIssues(error.issues, card)}.`);
}

/** A suggestion for the first field that the card of an agent does not have. */
function misspelled(card: unknown): string {
  const known = Object.keys(descriptionSchema.shape);
  const [unknown] = Object.keys(Object(card)).filter((field) => !known.includes(field));
  const nearest = unknown === undefined ? undefined : nearestName(unknown, known);
  return nearest === undefined ? '' : ` Did you mean "${nearest}" instead of "${unknown}"?`;
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

/**
 * Why Node cannot load an ES module in a package of type CommonJS, and what to do. Undefined if the file is not one. Checked
 * before the file is imported: Node's error does not name package.json, and Node prints a warning as well.
 */
async function commonJSProblem(file: string): Promise<string | undefined> {
  const extension = extname(file);
  if (extension !== '.js' && extension !== '.ts') return undefined;
  const manifest = findPackageJSON(pathToFileURL(file));
  if (manifest === undefined || !(await asksForCommonJS(manifest))) return undefined;
  const source = await readFile(file, 'utf8');
  // A quick look first: the check starts another process.
  if (!/\b(?:import|export)\b/.test(source)) return undefined;
  const type = extension === '.ts' ? 'commonjs-typescript' : 'commonjs';
  if (!ES_MODULE_ERROR.test(await checkSyntax([`--input-type=${type}`, '--check', '-'], source)))
    return undefined;
  return (
    `it is an ES module, but is loaded as CommonJS because ${manifest} has "type": "commonjs". ` +
    `Run "npm pkg set type=module" there, or rename the file to end in ${extension.replace('.', '.m')}.`
  );
}

async function asksForCommonJS(manifest: string): Promise<boolean> {
  try {
    const parsed: unknown = JSON.parse(await readFile(manifest, 'utf8'));
    return typeof parsed === 'object' && parsed !== null && 'type' in parsed && parsed.type === 'commonjs';
  } catch {
    return false;
  }
}

/** The location of an error that the import of a file threw, as `file:line`. Undefined if it is unknown. */
async function errorLocation(error: Error, file: string): Promise<string | undefined> {
  return error instanceof SyntaxError ? syntaxErrorLocation(error, file) : thrownAt(error);
}

/**
 * Node shows the location of a syntax error only if the error ends the process, so another Node process checks the file
 * without running it. Undefined if the file is valid: then the error is in a module that it imports.
 */
async function syntaxErrorLocation(error: SyntaxError, file: string): Promise<string | undefined> {
  return firstLineLocation(error.stack ?? '') ?? firstLineLocation(await checkSyntax(['--check', file]));
}

/** What Node prints when it checks a module, which it does not run. */
function checkSyntax(words: readonly string[], input = ''): Promise<string> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      words,
      { timeout: CHECK_TIMEOUT_MILLISECONDS },
      (_error, _output, errors) => done(errors),
    );
    // A process that ends early does not read its input; the callback above tells why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** Node prints the location on the first line. */
function firstLineLocation(text: string): string | undefined {
  const [, name = '', line] = /^(file:\/\/\S+|\/.*|[A-Za-z]:\\.*):(\d+)\r?\n/.exec(text) ?? [];
  return line === undefined ? undefined : `${pathOf(name)}:${line}`;
}

/** The innermost line of the stack outside Node, this program and, if there is one, outside installed packages. */
function thrownAt({ stack = '' }: Error): string | undefined {
  const frames: string[] = [];
  for (const line of stack.split('\n')) {
    const [, name = '', number] =
      /^ +at (?:.*\()?(?:async )?(file:\/\/.+|\/.+|[A-Za-z]:\\.+):(\d+):\d+\)?$/.exec(line) ?? [];
    if (number === undefined) continue;
    const path = pathOf(name);
    if (path.startsWith(import.meta.dirname)) break;
    frames.push(`${path}:${number}`);
  }
  return frames.find((frame) => !/[\\/]node_modules[\\/]/.test(frame)) ?? frames[0];
}

function pathOf(name: string): string {
  return name.startsWith('file:') ? fileURLToPath(name) : name;
}
