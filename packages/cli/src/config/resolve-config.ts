import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { findAgentKind } from '@holdword/runtime/internal/settings';
import type { CommandInput } from '../arguments/command.ts';
import { UsageError } from '../usage-error.ts';
import { configSchema, type Config } from './config-schema.ts';
import { hideSecrets } from './hide-secrets.ts';
import { readConfigFile } from './read-config-file.ts';
import { SERVE_SETTINGS, type Setting } from './settings-table.ts';
import { isDatabaseUrl } from './store-setting.ts';

type Source = Pick<CommandInput, 'options' | 'environment' | 'workingFolder'>;

/**
 * The configuration: options win over the environment, the environment over the file. All paths are absolute. DATABASE_URL
 * applies if nothing else names a store. Defaults are not filled in.
 */
export async function resolveConfig(source: Source): Promise<Config> {
  return {
    ...readDatabaseUrl(source.environment),
    ...(await readFileLayer(source)),
    ...withAbsolutePaths(
      { ...readEnvironment(source.environment), ...readOptions(source.options) },
      source.workingFolder,
    ),
  };
}

/** Whether `--agent` is the path of a module. The command after `exec:` can contain paths as well. */
export function isModulePath(agent: string): boolean {
  return findAgentKind(agent) === undefined && /[/\\]|\.[cm]?[jt]s$/.test(agent);
}

async function readFileLayer({ options, environment, workingFolder }: Source): Promise<Config> {
  const named = options['config'] ?? nonEmpty(environment['HOLDWORD_CONFIG']);
  const file = resolve(workingFolder, named ?? 'holdword.config.json');
  if (named === undefined && !existsSync(file)) return {};
  return withAbsolutePaths(await readConfigFile(file), dirname(file));
}

/** Many hosting platforms set it, some of them for databases that Holdword does not support. */
function readDatabaseUrl(environment: Source['environment']): Config {
  const url = environment['DATABASE_URL'] ?? '';
  if (!isDatabaseUrl(url)) return {};
  return configSchema.parse({ store: readSetting({ key: 'store' }, url, 'DATABASE_URL') });
}

function readEnvironment(environment: Source['environment']): Config {
  const given = Object.values(SERVE_SETTINGS).map((setting: Setting): [string, unknown] | undefined => {
    const text = nonEmpty(environment[setting.environment]);
    return text === undefined ? undefined : [setting.key, readSetting(setting, text, setting.environment)];
  });
  return configSchema.parse(Object.fromEntries(given.filter((entry) => entry !== undefined)));
}

function readOptions(options: Source['options']): Config {
  const given = Object.entries(SERVE_SETTINGS).map(([name, setting]): [string, unknown] | undefined => {
    const text = options[name];
    return text === undefined ? undefined : [setting.key, readSetting(setting, text, `--${name}`)];
  });
  return configSchema.parse(Object.fromEntries(given.filter((entry) => entry !== undefined)));
}

function readSetting(setting: Pick<Setting, 'key' | 'read'>, text: string, source: string): unknown {
  const result = configSchema.shape[setting.key].safeParse(setting.read?.(text) ?? text);
  if (result.success) return result.data;
  throw new UsageError(`${source}: ${result.error.issues[0]?.message}, found "${hideSecrets(text)}".`);
}

function withAbsolutePaths(config: Config, folder: string): Config {
  const absolute: Config = { ...config };
  if (config.data !== undefined) absolute.data = resolve(folder, config.data);
  if (config.agent !== undefined && isModulePath(config.agent))
    absolute.agent = resolve(folder, config.agent);
  if (config.agentOptions !== undefined) {
    absolute.agentOptions = withAbsoluteFolders(config.agentOptions, folder);
  }
  if (config.card?.signingKeyFile !== undefined) {
    absolute.card = { ...config.card, signingKeyFile: resolve(folder, config.card.signingKeyFile) };
  }
  if (config.audit?.file !== undefined) {
    absolute.audit = { ...config.audit, file: resolve(folder, config.audit.file) };
  }
  if (config.push?.signingKeyFile !== undefined) {
    absolute.push = { ...config.push, signingKeyFile: resolve(folder, config.push.signingKeyFile) };
  }
  const alarms = config.hubOptions?.alarms;
  if (alarms?.tokenFile !== undefined) {
    absolute.hubOptions = {
      ...config.hubOptions,
      alarms: { ...alarms, tokenFile: resolve(folder, alarms.tokenFile) },
    };
  }
  const jwt = config.authentication?.jwt;
  if (jwt?.jwksFile !== undefined) {
    absolute.authentication = {
      ...config.authentication,
      jwt: { ...jwt, jwksFile: resolve(folder, jwt.jwksFile) },
    };
  }
  return absolute;
}

/** Paths of programs stay unchanged: they may be names to look up in PATH. */
function withAbsoluteFolders(
  agentOptions: NonNullable<Config['agentOptions']>,
  folder: string,
): NonNullable<Config['agentOptions']> {
  const entries = Object.entries(agentOptions).map(([name, options]) => {
    const given = options?.['workingDirectory'];
    return [
      name,
      typeof given === 'string' ? { ...options, workingDirectory: resolve(folder, given) } : options,
    ];
  });
  return Object.fromEntries(entries);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
