import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { nearestName } from '@holdword/protocol/internal';
import { settingDetails, unwrap } from '@holdword/runtime/internal/settings';
import { z } from 'zod';
import type { CommandInput, OptionDescription } from '../command-line/command.ts';
import { configSchema, givenConfigSchema, type Config, type GivenConfig } from './config-schema.ts';
import { UsageError } from '../usage-error.ts';
import { commandLineSettings } from './describe-settings.ts';
import { readConfigFile } from './read-config-file.ts';
import { hasPassword, readText } from './read-text.ts';
import { commandLine, type DefaultContext } from './setting-parts.ts';
import { databaseUrlIn } from './store-setting.ts';

const VARIABLE_PREFIX = 'HOLDWORD_';
/** Variables that are no settings of a server: of other commands, of examples, and the mark that programs carry. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set([
  'AGENTS',
  'KEY',
  'MCP_TOKEN',
  'NODE',
  'PROCESS',
  'WORKER_TOKEN',
]);

const VISIBLE_PASSWORD =
  'Other users of this machine can see the password on the command line. Put the URL in HOLDWORD_STORE, or the password in ' +
  'PGPASSWORD.';

/** What the configuration is read from. */
export type ConfigSource = Pick<CommandInput, 'options' | 'environment' | 'workingFolder' | 'terminal'>;

/** What defaults depend on. */
interface DefaultSource {
  readonly environment: ConfigSource['environment'];
  readonly workingFolder: string;
  readonly terminal: Pick<ConfigSource['terminal'], 'errorsAreWatched'>;
}

/** Names the configuration file, so it cannot be set in that file. */
export const CONFIG_OPTION = {
  value: 'FILE',
  environment: 'HOLDWORD_CONFIG',
  description: 'Configuration file',
  default: 'holdword.config.json, if it exists',
} as const satisfies OptionDescription;

/**
 * The whole configuration: options win over the environment, the environment over the file, and the file over the defaults.
 * A command can have defaults of its own. All paths are absolute.
 */
export async function resolveConfig(source: ConfigSource, ownDefaults: GivenConfig = {}): Promise<Config> {
  const warnings = misspelledVariables(source.environment);
  if (hasPassword(source.options['store'] ?? '')) warnings.push(VISIBLE_PASSWORD);
  for (const warning of warnings) source.terminal.error(`holdword: ${warning}\n`);
  const given = overlay({ ...ownDefaults, ...(await readFileLayer(source)) }, readTexts(source));
  return completeConfig(given, source);
}

/** Variables that are probably misspelled. Others may belong to somebody else. */
function misspelledVariables(environment: ConfigSource['environment']): string[] {
  const known = commandLineSettings().map(({ details }) => details.environment);
  const names = [...known, CONFIG_OPTION.environment].map((name) => name.slice(VARIABLE_PREFIX.length));
  return Object.keys(environment)
    .filter((name) => name.startsWith(VARIABLE_PREFIX))
    .map((name) => name.slice(VARIABLE_PREFIX.length))
    .filter((name) => !names.includes(name) && !OTHER_VARIABLES.has(name))
    .flatMap((name) => {
      const nearest = nearestName(name, names);
      return nearest === undefined
        ? []
        : `The environment variable ${VARIABLE_PREFIX}${name} is unknown. Did you mean ${VARIABLE_PREFIX}${nearest}?`;
    });
}

/** Fills in the defaults of settings that are not given. */
export function completeConfig(given: object, source: DefaultSource): Config {
  const { environment, workingFolder, terminal } = source;
  const known = givenConfigSchema.parse(given);
  const port = configSchema.shape.port.parse(known.port);
  const context = { port, environment, errorsAreWatched: terminal.errorsAreWatched };
  const config = { ...computedDefaults(known, context), ...known };
  return withTwoPorts(configSchema.parse(withAbsolutePaths(configSchema, config, workingFolder)));
}

function withTwoPorts(config: Config): Config {
  if (config.port === 0 || config.port !== config.grpcPort) return config;
  throw new UsageError(
    `The HTTP port and the gRPC port are both ${config.port}. Choose another port for one of them (port, grpcPort), or disable ` +
      'gRPC with --grpc-port off.',
  );
}

function computedDefaults(known: object, context: DefaultContext): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(configSchema.shape)
      .filter(([name]) => !(name in known))
      .map(([name, schema]) => [name, commandLine.get(schema)?.defaultFor?.(context)]),
  );
}

/** The configuration file: the one that is named, or the usual one if it exists. */
export function configFile(source: ConfigSource): string | undefined {
  const named = namedConfigFile(source);
  const file = resolve(source.workingFolder, named ?? USUAL_FILE);
  return named === undefined && !existsSync(file) ? undefined : file;
}

const USUAL_FILE = 'holdword.config.json';

/** What the user calls the configuration file, whether it exists or not. */
export function configFileName(source: Pick<ConfigSource, 'options' | 'environment'>): string {
  return namedConfigFile(source) ?? USUAL_FILE;
}

/** The path of the configuration file as the user gave it. */
function namedConfigFile({
  options,
  environment,
}: Pick<ConfigSource, 'options' | 'environment'>): string | undefined {
  return options['config'] ?? nonEmpty(environment[CONFIG_OPTION.environment]);
}

async function readFileLayer(source: ConfigSource): Promise<object> {
  const file = configFile(source);
  if (file === undefined) return {};
  const given = await readConfigFile(file, configFileName(source));
  return withAbsolutePaths(givenConfigSchema, given, dirname(file));
}

/** Says where the value of a setting comes from: `--port`, `HOLDWORD_PORT`, the path of the file, or `default`. */
export async function settingSources(source: ConfigSource): Promise<(path: string) => string> {
  const { options, environment } = source;
  const given = await readFileLayer(source);
  const details = new Map(commandLineSettings().map((each) => [each.path.join('.'), each.details]));
  return (path) => {
    const { option = '', environment: variable = '' } = details.get(path) ?? {};
    if (options[option] !== undefined) return `--${option}`;
    if (nonEmpty(environment[variable]) !== undefined) return variable;
    if (valueAt(given, path.split('.')) !== undefined) return configFile(source) ?? '';
    return path === 'store' && databaseUrlIn(environment) !== undefined ? 'DATABASE_URL' : 'default';
  };
}

/** The value at a path, if there is one. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
}

/** The settings that the environment and the options give. */
function readTexts({ options, environment, workingFolder }: ConfigSource): object {
  let given: object = {};
  for (const { path, schema, details } of commandLineSettings()) {
    const isInSeconds = path.at(-1)?.endsWith('Seconds') === true;
    const variable = nonEmpty(environment[details.environment]);
    if (variable !== undefined) {
      given = overlay(given, at(path, readText(schema, variable, details.environment, isInSeconds)));
    }
    const option = options[details.option];
    if (option !== undefined)
      given = overlay(given, at(path, readText(schema, option, `--${details.option}`, isInSeconds)));
  }
  return withAbsolutePaths(givenConfigSchema, given, workingFolder);
}

/** An object with this value at the path. */
function at(path: readonly string[], value: unknown): object {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
}

/** The settings of both, of which those above win. */
function overlay(below: object, above: object): object {
  const merged: Record<string, unknown> = { ...below };
  for (const [name, value] of Object.entries(above)) {
    const under = merged[name];
    merged[name] = isObject(under) && isObject(value) ? overlay(under, value) : value;
  }
  return merged;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Makes the paths in a value absolute, which its schema knows. Those that are absolute already stay as they are. */
function withAbsolutePaths<Value>(schema: z.core.$ZodType, value: Value, folder: string): Value;
function withAbsolutePaths(schema: z.core.$ZodType, value: unknown, folder: string): unknown {
  if (typeof value === 'string')
    return settingDetails(schema).isPath?.(value) ? resolve(folder, value) : value;
  const inner = unwrap(schema);
  if (inner !== undefined) return withAbsolutePaths(inner, value, folder);
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => {
    const property = schema.shape[name];
    return [name, property === undefined ? each : withAbsolutePaths(property, each, folder)];
  });
  return Object.fromEntries(entries);
}

function nonEmpty(given: string | undefined): string | undefined {
  return given === '' ? undefined : given;
}
