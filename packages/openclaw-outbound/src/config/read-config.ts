import { parseAllowList } from '@holdword/net/internal';
import type { z } from 'zod';
import { normalizeUrl } from '../targets/normalize-url.ts';
import type { ConfiguredTarget } from '../targets/target.ts';
import { configSchema, TRANSPORTS, type ParsedConfig, type Transport } from './config.ts';

/** The plugin configuration with all defaults applied. */
export interface OutboundConfig extends Omit<ParsedConfig, 'targets' | 'defaults'> {
  readonly defaults: Omit<ParsedConfig['defaults'], 'preferredTransports'> & {
    readonly preferredTransports: readonly Transport[];
  };
  readonly targets: readonly ConfiguredTarget[];
}

/**
 * Validates the plugin configuration and applies the defaults.
 *
 * @throws Error that names the invalid fields.
 * @example
 * const config = readConfig({ enabled: true, targets: [{ alias: 'support', baseUrl: 'https://support.example' }] });
 */
export function readConfig(value: unknown): OutboundConfig {
  const result = configSchema.safeParse(value ?? {});
  if (!result.success) throw new Error(`Invalid remote_agent configuration: ${explain(result.error)}`);
  const { defaults, targets, policy, ...rest } = result.data;
  const known = (names: readonly string[], owner: string): Transport[] =>
    knownTransports(names, owner, policy.enforceSupportedTransports);
  const preferredTransports = known(defaults.preferredTransports, 'defaults');
  const configured = targets.map(
    ({ baseUrl, cardPath, preferredTransports: own, serviceParameters, ...target }): ConfiguredTarget => ({
      ...target,
      baseUrl: normalizeUrl(baseUrl, policy.normalizeBaseUrl),
      cardPath: cardPath ?? defaults.cardPath,
      preferredTransports: own ? known(own, `target "${target.alias}"`) : preferredTransports,
      serviceParameters: { ...defaults.serviceParameters, ...serviceParameters },
      default: target.default ?? false,
      tags: target.tags ?? [],
      examples: target.examples ?? [],
    }),
  );
  checkTargets(configured);
  parseAllowList(policy.allowHosts);
  return { ...rest, policy, defaults: { ...defaults, preferredTransports }, targets: configured };
}

function knownTransports(names: readonly string[], owner: string, enforce: boolean): Transport[] {
  const unknown = names.filter((name) => !isTransport(name));
  const known = names.filter(isTransport);
  if (enforce && unknown.length > 0) {
    throw new Error(
      `Unsupported transport in preferredTransports of ${owner}: ${unknown.join(', ')}. Supported: ${TRANSPORTS.join(', ')}. ` +
        'Set policy.enforceSupportedTransports to false to ignore unsupported transports.',
    );
  }
  if (known.length === 0) {
    throw new Error(
      `No supported transport in preferredTransports of ${owner}. Use at least one of ${TRANSPORTS.join(', ')}.`,
    );
  }
  return known;
}

function isTransport(name: string): name is Transport {
  return TRANSPORTS.some((transport) => transport === name);
}

function checkTargets(targets: readonly ConfiguredTarget[]): void {
  const withCredentials = targets.find(({ baseUrl }) => /^https?:\/\/[^/]*@/.test(baseUrl));
  if (withCredentials !== undefined) {
    throw new Error(
      `The baseUrl of target "${withCredentials.alias}" contains credentials, which models can read. Move them to the target's auth.`,
    );
  }
  const aliases = targets.map(({ alias }) => alias);
  const duplicate = aliases.find((alias, index) => aliases.indexOf(alias) !== index);
  if (duplicate !== undefined) {
    throw new Error(`Duplicate target alias "${duplicate}". Give each target a unique alias.`);
  }
  const defaults = targets.filter((target) => target.default).map(({ alias }) => alias);
  if (defaults.length > 1) {
    throw new Error(`More than one default target: ${defaults.join(', ')}. Mark at most one as default.`);
  }
}

function explain(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}
