import { nearestName } from '@holdword/protocol';
import type { OutboundConfig } from '../config/read-config.ts';
import { RemoteAgentError } from '../results/remote-agent-error.ts';
import { normalizeUrl } from './normalize-url.ts';
import type { ConfiguredTarget, Target, TargetAddress } from './target.ts';

/**
 * The agents that the user has configured, and whether others may be called.
 *
 * A URL that a model gives leads to a configured target, or nowhere unless policy allows it: models can be talked into
 * URLs.
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

  get allowsOtherUrls(): boolean {
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
    throw this.#refusal('unknown_alias', `There is no target with the alias "${alias}".`, {
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
      throw this.#refusal('ambiguous_normalized_url_matches', 'Several configured targets have this URL.', {
        target_url: baseUrl,
        configuredAliases: matches.map(({ alias }) => alias),
        hint: 'Say which one by target_alias.',
      });
    }
    if (!this.allowsOtherUrls) throw this.refuseUrl(baseUrl);
    const { cardPath, preferredTransports } = this.#config.defaults;
    return { baseUrl, cardPath, preferredTransports };
  }

  /**
   * The target at an address; without `configured` when the user has not configured it. Where several have the address,
   * each with its own credentials, the alias says which one.
   */
  at(address: TargetAddress, alias?: string): Target {
    const { cardPath, preferredTransports } = address;
    const baseUrl = this.normalize(address.baseUrl);
    const matches = this.targets.filter((each) => each.baseUrl === baseUrl && each.cardPath === cardPath);
    const own = (each: ConfiguredTarget): boolean =>
      each.preferredTransports.join() === preferredTransports.join();
    const configured = matches.find((each) => each.alias === alias) ?? matches.find(own) ?? matches[0];
    return { baseUrl, cardPath, preferredTransports, ...(configured && { configured }) };
  }

  normalize(url: string): string {
    return normalizeUrl(url, this.#config.policy.normalizeBaseUrl);
  }

  /** Why a URL that is not configured is not called. */
  refuseUrl(baseUrl: string, because?: string): RemoteAgentError {
    const known = because === undefined && this.targets.length > 0;
    return this.#refusal(
      known ? 'unknown_raw_url' : 'raw_url_disallowed_by_policy',
      because ??
        (known
          ? 'No configured target has this URL, and policy does not allow others.'
          : 'Policy does not allow URLs that are not configured.'),
      {
        target_url: baseUrl,
        configuredAliases: this.aliases,
        hint: 'Use target_alias, or ask the user to add the target or to set policy.allowTargetUrlOverride.',
      },
    );
  }

  #refusal(reason: string, message: string, details: Record<string, unknown>): RemoteAgentError {
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
