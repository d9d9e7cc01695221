import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { ProtocolBinding, ProtocolVersion } from '@holdword/protocol';
import { hasErrorCode, PROTOCOL_VERSIONS, shorten } from '@holdword/protocol/internal';
import type { CommandInput } from '../command-line/command.ts';
import { parseDuration } from '../command-line/parse-arguments.ts';
import { UsageError } from '../usage-error.ts';
import { CONFIGURABLE_OPTIONS } from './call-options.ts';
import { findNamedAgent, type NamedAgent } from './environments.ts';

/** A value and where it comes from. */
export interface Sourced {
  readonly value: string;
  /** `--output`, `A2ACLI_OUTPUT` or the path of a file. */
  readonly source: string;
}

/** What a command that calls an agent was told: by options, else variables, else files. */
export class CallSettings {
  readonly #values: ReadonlyMap<string, readonly Sourced[]>;
  /** What the name after `-a` stands for, if the user has given the agent that name. */
  readonly named: NamedAgent | undefined;

  constructor(values: ReadonlyMap<string, readonly Sourced[]>, named?: NamedAgent) {
    this.#values = values;
    this.named = named;
  }

  /** Throws a UsageError for the first value that cannot be used, before anything is sent. */
  check(): void {
    for (const name of DURATIONS) this.milliseconds(name, 0);
    for (const name of SWITCHES) this.isOn(name);
    void [this.isJson, this.transports, this.version];
  }

  /** The same with this credential and no other. */
  withCredential(name: 'bearer' | 'api-key', value: string): CallSettings {
    const others = [...this.#values].filter(([each]) => each !== 'bearer' && each !== 'api-key');
    const credential = [name, [{ value, source: 'holdword env' }]] as const;
    return new CallSettings(new Map([...others, credential]), this.named);
  }

  /** The same, with another value of an option. */
  with(name: string, value: string): CallSettings {
    return new CallSettings(new Map([...this.#values, [name, [{ value, source: `--${name}` }]]]), this.named);
  }

  /** The values of an option in the order of their precedence in a call, with their source. */
  sourced(name: string): readonly Sourced[] {
    return this.#values.get(name) ?? [];
  }

  text(name: string): string | undefined {
    return this.sourced(name).at(-1)?.value;
  }

  all(name: string): string[] {
    return this.sourced(name).map(({ value }) => value);
  }

  isOn(name: string): boolean {
    const [given] = this.sourced(name);
    if (given === undefined || given.value === 'false') return false;
    if (given.value === 'true' || given.value === '1') return true;
    throw new UsageError(`${given.source}: expected true or false, found "${shorten(given.value, 40)}".`);
  }

  milliseconds(name: string, fallback: number): number {
    const given = this.sourced(name).at(-1);
    return given === undefined ? fallback : parseDuration(given.value, given.source);
  }

  get isJson(): boolean {
    const given = this.sourced('output').at(-1);
    if (given === undefined || given.value === 'text') return false;
    if (given.value === 'json') return true;
    throw new UsageError(`${given.source}: expected text or json, found "${shorten(given.value, 40)}".`);
  }

  /** The bindings that the user prefers, the preferred one first. */
  get transports(): ProtocolBinding[] {
    return this.sourced('transport').map(({ value, source }) => {
      const binding = BINDINGS.get(value.toLowerCase());
      if (binding !== undefined) return binding;
      throw new UsageError(`${source}: expected jsonrpc, rest or grpc, found "${shorten(value, 40)}".`);
    });
  }

  get version(): ProtocolVersion | undefined {
    const given = this.sourced('a2a-version').at(-1);
    if (given === undefined) return undefined;
    const version = PROTOCOL_VERSIONS.find((each) => each === given.value);
    if (version !== undefined) return version;
    throw new UsageError(
      `${given.source}: expected ${PROTOCOL_VERSIONS.join(', ')}, found "${shorten(given.value, 40)}".`,
    );
  }
}

const BINDINGS: ReadonlyMap<string, ProtocolBinding> = new Map([
  ['jsonrpc', 'JSONRPC'],
  ['rest', 'HTTP+JSON'],
  ['http+json', 'HTTP+JSON'],
  ['grpc', 'GRPC'],
]);

const DURATIONS = ['poll-interval', 'timeout'];
const SWITCHES = Object.entries(CONFIGURABLE_OPTIONS)
  .filter(([, { negatable }]) => negatable === true)
  .map(([name]) => name);

type Source = Pick<CommandInput, 'options' | 'repeated' | 'environment' | 'workingFolder'>;

/**
 * Reads the settings: an option wins over what belongs to a named agent, that over a variable, a variable over the local file,
 * that over the user's file.
 */
export async function readCallSettings(input: Source): Promise<CallSettings> {
  const { options, environment } = input;
  const config = options['config'] ?? environment['A2ACLI_CONFIG'];
  const files = [
    config === undefined ? await nearestEnvFile(input.workingFolder) : await namedFile(input, config),
    await envFileAt(join(configFolder(environment), '.env')),
  ];
  const find = (name: string): readonly Sourced[] | undefined => {
    const { environment: variable = '' } = CONFIGURABLE_OPTIONS[name] ?? {};
    return (
      fromVariable(environment, variable, variable, name) ??
      files
        .map((file) => file && fromVariable(file.variables, variable, file.path, name))
        .find((each) => each !== undefined)
    );
  };
  const agent = fromOptions(input, 'agent-card') ?? find('agent-card');
  const named = await findNamedAgent(agent?.at(-1)?.value, environment);
  const values = new Map<string, readonly Sourced[]>();
  for (const name of Object.keys(CONFIGURABLE_OPTIONS)) {
    const found = fromOptions(input, name) ?? fromNamed(named, name) ?? find(name);
    if (found !== undefined) values.set(name, found);
  }
  const settings = new CallSettings(values, named);
  settings.check();
  return settings;
}

const SECRETS = ['bearer', 'api-key', 'client-secret', 'svc-param'];

/** Every option with its value and where that comes from, for people. */
export async function describeCallSettings(input: Source): Promise<(Sourced & { readonly name: string })[]> {
  const settings = await readCallSettings(input);
  return Object.entries(CONFIGURABLE_OPTIONS).flatMap(([name, { default: fallback }]) => {
    const given = settings.sourced(name);
    const [first] = given;
    if (first === undefined)
      return fallback === undefined ? [] : [{ name, value: fallback, source: 'default' }];
    const value = SECRETS.includes(name) ? '***' : given.map((each) => each.value).join(', ');
    return [{ name, value, source: first.source }];
  });
}

function fromOptions({ options, repeated }: Source, name: string): Sourced[] | undefined {
  const source = `--${name}`;
  const given = repeated[name] ?? (options[name] === undefined ? undefined : [options[name]]);
  return given?.map((value) => ({ value, source }));
}

function fromNamed(named: NamedAgent | undefined, name: string): Sourced[] | undefined {
  const given = { 'a2a-version': named?.a2aVersion, transport: named?.transport }[name];
  return given === undefined ? undefined : [given].flat().map((value) => ({ value, source: 'holdword env' }));
}

function fromVariable(
  variables: Readonly<Record<string, string | undefined>>,
  variable: string,
  source: string,
  name: string,
): Sourced[] | undefined {
  const value = variables[variable];
  if (value === undefined || value === '') return undefined;
  const isList = CONFIGURABLE_OPTIONS[name]?.repeatable === true;
  return (isList ? value.split(',').map((each) => each.trim()) : [value]).map((each) => ({
    value: each,
    source,
  }));
}

interface EnvFile {
  readonly path: string;
  readonly variables: NodeJS.Dict<string>;
}

/** The folder of the user's settings for A2A command lines. */
export function configFolder(environment: Source['environment']): string {
  const base = environment['XDG_CONFIG_HOME'] ?? join(environment['HOME'] ?? homedir(), '.config');
  return join(base, 'a2a-cli');
}

async function nearestEnvFile(folder: string): Promise<EnvFile | undefined> {
  for (let current = resolve(folder); ; current = dirname(current)) {
    const file = await envFileAt(join(current, '.env'));
    if (file !== undefined || dirname(current) === current) return file;
  }
}

async function namedFile({ workingFolder }: Source, path: string): Promise<EnvFile> {
  const file = await envFileAt(resolve(workingFolder, path));
  if (file === undefined) throw new UsageError(`--config: there is no file ${path}.`);
  return file;
}

async function envFileAt(path: string): Promise<EnvFile | undefined> {
  try {
    return { path, variables: parseEnv(await readFile(path, 'utf8')) };
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw new UsageError(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}
