import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { nearestName } from '@holdword/protocol/internal';
import { settingDetails, unwrap } from '@holdword/runtime/internal/settings';
import { z } from 'zod';
import type { CommandInput, OptionDescription } from '../command-line/command.ts';
import {
  commandLine,
  configSchema,
  givenConfigSchema,
  type Config,
  type DefaultContext,
  type GivenConfig,
} from './config-schema.ts';
import { readConfigFile } from './read-config-file.ts';
import { readText } from './read-text.ts';

const VARIABLE_PREFIX = 'HOLDWORD_';
/** Variables that are no settings of a server: of other commands, of examples, and the mark that programs carry. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set(['AGENTS', 'KEY', 'MCP_TOKEN', 'NODE', 'PROCESS']);

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
  for (const warning of misspelledVariables(source.environment)) {
    source.terminal.error(`holdword: ${warning}\n`);
  }
  const given = { ...ownDefaults, ...(await readFileLayer(source)), ...readTexts(source) };
  return completeConfig(given, source);
}

/** Variables that are probably misspelled. Others may belong to somebody else. */
function misspelledVariables(environment: ConfigSource['environment']): string[] {
  const known = Object.values(configSchema.shape).flatMap(
    (schema) => commandLine.get(schema)?.environment ?? [],
  );
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
  return configSchema.parse(withAbsolutePaths(configSchema, config, workingFolder));
}

function computedDefaults(known: object, context: DefaultContext): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(configSchema.shape)
      .filter(([name]) => !(name in known))
      .map(([name, schema]) => [name, commandLine.get(schema)?.defaultFor?.(context)]),
  );
}

async function readFileLayer({ options, environment, workingFolder }: ConfigSource): Promise<object> {
  const named = options['config'] ?? nonEmpty(environment[CONFIG_OPTION.environment]);
  const file = resolve(workingFolder, named ?? 'holdword.config.json');
  if (named === undefined && !existsSync(file)) return {};
  return withAbsolutePaths(givenConfigSchema, await readConfigFile(file), dirname(file));
}

/** The settings that the environment and the options give. */
function readTexts({ options, environment, workingFolder }: ConfigSource): object {
  const given: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(configSchema.shape)) {
    const details = commandLine.get(schema);
    if (details === undefined) continue;
    const variable = nonEmpty(environment[details.environment]);
    if (variable !== undefined) given[name] = readText(schema, variable, details.environment);
    const option = options[details.option];
    if (option !== undefined) given[name] = readText(schema, option, `--${details.option}`);
  }
  return withAbsolutePaths(givenConfigSchema, given, workingFolder);
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
