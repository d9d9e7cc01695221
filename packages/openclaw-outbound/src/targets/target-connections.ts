import { RegisteredAgent, type AgentConnection } from '@holdword/client';
import type { OutboundConfig } from '../config/read-config.ts';
import type { Environment } from '../credentials/read-secret.ts';
import { TargetCredentials } from '../credentials/target-credentials.ts';
import { cardUrls } from './card-urls.ts';
import { addressKey, type Target } from './target.ts';

const CARD_TIMEOUT = 15_000;
/** Of agents whose URLs a model gave: so many are kept open. */
const MOST_STRANGERS = 32;

interface OpenTarget {
  readonly agent: RegisteredAgent;
  readonly credentials: TargetCredentials | undefined;
}

/**
 * The ways to targets: cards, connections and credentials.
 *
 * Responsible for what a target is trusted with. A configured one may be anywhere and gets its own credentials, at the
 * origins that the user typed and nowhere else. A URL that a model gave is called like a stranger's: on the public
 * internet or where policy allows it, and with no credentials.
 */
export class TargetConnections {
  readonly #config: OutboundConfig;
  readonly #environment: Environment;
  readonly #open = new Map<string, OpenTarget>();

  constructor(config: OutboundConfig, environment: Environment) {
    this.#config = config;
    this.#environment = environment;
  }

  connect(target: Target, signal?: AbortSignal): Promise<AgentConnection> {
    return this.#get(target).agent.connect(signal);
  }

  /** The agent was not where its card says: the card is asked for again before the next call. */
  expireCard(target: Target): void {
    this.#get(target).agent.expireCard();
  }

  /** The agent did not accept its credentials: they are read again before the next call. */
  forgetCredentials(target: Target): void {
    this.#get(target).credentials?.forget();
  }

  /** What a call may bring along: everything but what belongs to the credentials. */
  callHeaders(target: Target, parameters: Readonly<Record<string, string>> = {}): Record<string, string> {
    const reserved = this.#get(target).credentials?.reservedHeader;
    return Object.fromEntries(Object.entries(parameters).filter(([name]) => name.toLowerCase() !== reserved));
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
      if (target.configured === undefined) this.#closeOldStrangers();
    }
    return open;
  }

  #openTarget(target: Target): OpenTarget {
    const { configured, baseUrl, preferredTransports } = target;
    const { limits, policy, defaults } = this.#config;
    const credentials = configured && new TargetCredentials(configured, this.#environment);
    const trusted = configured?.trustedOrigins?.map((url) => new URL(url).origin);
    const agent = new RegisteredAgent({
      entry: { url: baseUrl, ...(trusted && { trusted_origins: trusted }) },
      cardUrls: cardUrls(target),
      preferredBindings: preferredTransports,
      headers: credentials === undefined || credentials.isEmpty ? {} : () => credentials.headers(),
      trustsUrl: configured !== undefined,
      allow: policy.allowHosts,
      environment: this.#environment,
      limits: {
        cardTimeoutMilliseconds: CARD_TIMEOUT,
        cardMaxAgeMilliseconds: defaults.cardMaxAgeMs,
        callTimeoutMilliseconds: defaults.timeoutMs,
        maxResponseBytes: limits.responseBytes,
      },
    });
    return { agent, credentials };
  }

  #closeOldStrangers(): void {
    const strangers = [...this.#open].filter(([, { credentials }]) => credentials === undefined);
    for (const [key, { agent }] of strangers.slice(0, -MOST_STRANGERS)) {
      agent.close();
      this.#open.delete(key);
    }
  }
}
