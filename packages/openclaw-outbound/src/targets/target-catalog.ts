import { nearestName } from '@holdword/protocol/internal';
import { type ConfiguredTarget, normalizeUrl, type OutboundConfig } from '../config.ts';
import { RemoteAgentError } from '../remote-agent-error.ts';
import type { Target, TargetAddress } from './target.ts';

/**
 * The configured agents, and whether other agents may be called.
 *
 * A URL supplied by a model must belong to a configured target unless policy allows others: a prompt injection can make a
 * model use any URL.
 */
export class TargetCatalog {
  readonly #config: OutboundConfig;

  constructor(config: OutboundConfig) {
    this.#config = config;
  }

  get targets(): readonly ConfiguredTarget[] {
    return this.#config.targets;
  }

  get aliases(): string[] {
    return this.targets.map(({ alias }) => alias);
  }

  get allowsUnconfiguredUrls(): boolean {
    return this.#config.policy.allowTargetUrlOverride;
  }

  get defaultTarget(): Target | undefined {
    const found = this.targets.find((target) => target.default);
    return found && asTarget(found);
  }

  byAlias(alias: string): Target {
    const found = this.targets.find((target) => target.alias === alias);
    if (found !== undefined) return asTarget(found);
    const near = nearestName(alias, this.aliases);
    throw this.#targetError('unknown_alias', `Unknown target alias "${alias}".`, {
      target_alias: alias,
      availableAliases: this.aliases,
      hint:
        near === undefined
          ? 'Use one of the available aliases.'
          : `Use one of the available aliases; did you mean "${near}"?`,
    });
  }

  byUrl(text: string): Target {
    const baseUrl = this.normalize(text);
    const matches = this.targets.filter((target) => target.baseUrl === baseUrl);
    const [first, ...others] = matches;
    if (first !== undefined && others.length === 0) return asTarget(first);
    if (first !== undefined) {
      throw this.#targetError(
        'ambiguous_normalized_url_matches',
        'More than one configured target has this URL.',
        {
          target_url: baseUrl,
          configuredAliases: matches.map(({ alias }) => alias),
          hint: 'Select one with target_alias.',
        },
      );
    }
    if (!this.allowsUnconfiguredUrls) throw this.rejectedUrl(baseUrl);
    const { cardPath, preferredTransports } = this.#config.defaults;
    return { baseUrl, cardPath, preferredTransports };
  }

  /**
   * The target at an address; without `configured` if it is not in the configuration. If several targets share the address,
   * each with its own credentials, the alias selects one.
   */
  at(address: TargetAddress, alias?: string): Target {
    const { cardPath, preferredTransports } = address;
    const baseUrl = this.normalize(address.baseUrl);
    const matches = this.targets.filter((each) => each.baseUrl === baseUrl && each.cardPath === cardPath);
    const hasSameTransports = (each: ConfiguredTarget): boolean =>
      each.preferredTransports.join() === preferredTransports.join();
    const configured =
      matches.find((each) => each.alias === alias) ?? matches.find(hasSameTransports) ?? matches[0];
    return { baseUrl, cardPath, preferredTransports, configured };
  }

  normalize(url: string): string {
    return normalizeUrl(url, this.#config.policy.normalizeBaseUrl);
  }

  /** The error for a URL that is not configured. */
  rejectedUrl(baseUrl: string, because?: string): RemoteAgentError {
    const known = because === undefined && this.targets.length > 0;
    return this.#targetError(
      known ? 'unknown_raw_url' : 'raw_url_disallowed_by_policy',
      because ??
        (known
          ? 'No configured target has this URL, and policy.allowTargetUrlOverride is off.'
          : 'URLs that are not configured are not allowed (policy.allowTargetUrlOverride is off).'),
      {
        target_url: baseUrl,
        configuredAliases: this.aliases,
        hint: 'Use target_alias, or ask the user to configure the target or to enable policy.allowTargetUrlOverride.',
      },
    );
  }

  #targetError(reason: string, message: string, details: Record<string, unknown>): RemoteAgentError {
    return new RemoteAgentError('TARGET_RESOLUTION_ERROR', message, {
      reason,
      suggested_action: 'list_targets',
      ...details,
    });
  }
}

function asTarget(configured: ConfiguredTarget): Target {
  const { baseUrl, cardPath, preferredTransports } = configured;
  return { baseUrl, cardPath, preferredTransports, configured };
}
