import { parseAllowList } from '@holdword/net';
import type { z } from 'zod';
import { normalizeUrl } from '../targets/normalize-url.ts';
import type { ConfiguredTarget } from '../targets/target.ts';
import { configSchema, TRANSPORTS, type ParsedConfig, type Transport } from './config.ts';

/** The configuration with every default filled in. */
export interface OutboundConfig extends Omit<ParsedConfig, 'targets' | 'defaults'> {
  readonly defaults: Omit<ParsedConfig['defaults'], 'preferredTransports'> & {
    readonly preferredTransports: readonly Transport[];
  };
  readonly targets: readonly ConfiguredTarget[];
}

/** Checks what the user configured; throws an Error that names everything that is wrong. */
export function readConfig(value: unknown): OutboundConfig {
  const result = configSchema.safeParse(value ?? {});
  if (!result.success)
    throw new Error(`The configuration of remote_agent is wrong. ${explain(result.error)}`);
  const { defaults, targets, policy, ...rest } = result.data;
  const known = (names: readonly string[], place: string): Transport[] =>
    knownTransports(names, place, policy.enforceSupportedTransports);
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

function knownTransports(names: readonly string[], place: string, enforce: boolean): Transport[] {
  const unknown = names.filter((name) => !isTransport(name));
  const known = names.filter(isTransport);
  if (enforce && unknown.length > 0) {
    throw new Error(
      `The preferredTransports of ${place} name ${unknown.join(', ')}. Expected some of ${TRANSPORTS.join(', ')}; ` +
        'policy.enforceSupportedTransports=false leaves out others.',
    );
  }
  if (known.length === 0) {
    throw new Error(
      `The preferredTransports of ${place} name none that can be used. Expected some of ${TRANSPORTS.join(', ')}.`,
    );
  }
  return known;
}

function isTransport(name: string): name is Transport {
  return TRANSPORTS.some((transport) => transport === name);
}

function checkTargets(targets: readonly ConfiguredTarget[]): void {
  const telling = targets.find(({ baseUrl }) => /^https?:\/\/[^/]*@/.test(baseUrl));
  if (telling !== undefined) {
    throw new Error(
      `The baseUrl of target "${telling.alias}" holds credentials, which models would see. Put them into its auth.`,
    );
  }
  const aliases = targets.map(({ alias }) => alias);
  const twice = aliases.find((alias, index) => aliases.indexOf(alias) !== index);
  if (twice !== undefined) {
    throw new Error(`Two targets have the alias "${twice}". Give each target an alias of its own.`);
  }
  const defaults = targets.filter((target) => target.default).map(({ alias }) => alias);
  if (defaults.length > 1) {
    throw new Error(`The targets ${defaults.join(', ')} are all marked as default. Mark one at most.`);
  }
}

function explain(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}
