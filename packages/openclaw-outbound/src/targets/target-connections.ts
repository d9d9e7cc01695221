import { type AgentConnection, RegisteredAgent } from '@holdword/client/internal';
import { trimEndOf } from '@holdword/protocol/internal';
import type { OutboundConfig } from '../config.ts';
import { type SecretSources, TargetCredentials } from './target-credentials.ts';
import { addressKey, type Target, type TargetAddress } from './target.ts';

const CARD_TIMEOUT_MILLISECONDS = 15_000;
/** How many connections to unconfigured agents, whose URLs came from a model, are kept open. */
const MAX_UNCONFIGURED = 32;

interface OpenTarget {
  readonly agent: RegisteredAgent;
  readonly credentials: TargetCredentials | undefined;
}

/**
 * Cards, connections and credentials of targets.
 *
 * Responsible for what a target is trusted with. A configured target may have any address and receives its credentials, but
 * only at the origins in the user's configuration. A URL supplied by a model is untrusted: it must be on the public internet
 * or allowed by policy, and it receives no credentials.
 */
export class TargetConnections {
  readonly #config: OutboundConfig;
  readonly #secrets: SecretSources;
  readonly #open = new Map<string, OpenTarget>();

  constructor(config: OutboundConfig, secrets: SecretSources) {
    this.#config = config;
    this.#secrets = secrets;
  }

  connect(target: Target, signal?: AbortSignal): Promise<AgentConnection> {
    return this.#get(target).agent.connect(signal);
  }

  /** Why the card of a target could not be fetched so far. */
  troubleWith(target: Target): unknown {
    return this.#get(target).agent.trouble;
  }

  /** The agent is not reachable at the address on its card: fetch the card again before the next call. */
  expireCard(target: Target): void {
    this.#get(target).agent.expireCard();
  }

  /** The agent rejected its credentials: read them again before the next call. */
  invalidateCredentials(target: Target): void {
    this.#get(target).credentials?.invalidate();
  }

  /** The service parameter, if any, that would replace the header with the target's credentials. */
  reservedParameter(target: Target, parameters: Readonly<Record<string, string>>): string | undefined {
    const reserved = this.#get(target).credentials?.reservedHeader;
    return Object.keys(parameters).find((name) => name.toLowerCase() === reserved);
  }

  close(): void {
    for (const { agent, credentials } of this.#open.values()) {
      agent.close();
      credentials?.close();
    }
    this.#open.clear();
  }

  #get(target: Target): OpenTarget {
    const key = JSON.stringify([addressKey(target), target.configured?.alias]);
    let open = this.#open.get(key);
    if (open === undefined) {
      open = this.#openTarget(target);
      this.#open.set(key, open);
      if (target.configured === undefined) this.#evictUnconfigured();
    }
    return open;
  }

  #openTarget(target: Target): OpenTarget {
    const { configured, baseUrl, preferredTransports } = target;
    const { limits, policy, defaults } = this.#config;
    const credentials = configured && new TargetCredentials(configured, this.#secrets);
    const trusted = configured?.trustedOrigins.map((url) => new URL(url).origin);
    const agent = new RegisteredAgent({
      entry: { url: baseUrl, trusted_origins: trusted },
      cardUrls: cardUrls(target),
      rootCardPath: target.cardPath,
      preferredBindings: preferredTransports,
      headers: credentials === undefined || credentials.isEmpty ? {} : () => credentials.headers(),
      trustsUrl: configured !== undefined,
      allow: policy.allowHosts,
      environment: this.#secrets.environment,
      limits: {
        cardTimeoutMilliseconds: CARD_TIMEOUT_MILLISECONDS,
        cardMaxAgeMilliseconds: defaults.cardMaxAgeMs,
        callTimeoutMilliseconds: defaults.timeoutMs,
        maxResponseBytes: limits.responseBytes,
      },
    });
    return { agent, credentials };
  }

  #evictUnconfigured(): void {
    const unconfigured = [...this.#open].filter(([, { credentials }]) => credentials === undefined);
    for (const [key, { agent }] of unconfigured.slice(0, -MAX_UNCONFIGURED)) {
      agent.close();
      this.#open.delete(key);
    }
  }
}

const DEFAULT_PATH = '/.well-known/agent-card.json';
/** The path before A2A 0.3. */
const LEGACY_PATH = '/.well-known/agent.json';

/** The URLs to try for a card, all of them below the base URL: what is at the root of its origin may be another agent. */
export function cardUrls({ baseUrl, cardPath }: Pick<TargetAddress, 'baseUrl' | 'cardPath'>): string[] {
  const { origin, pathname } = new URL(baseUrl);
  const below = `${origin}${trimEndOf(pathname, '/')}`;
  const paths = cardPath === DEFAULT_PATH ? [DEFAULT_PATH, LEGACY_PATH] : [cardPath];
  return paths.map((path) => `${below}${path}`);
}
