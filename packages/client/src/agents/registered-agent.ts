import { createGuardedClient, type GuardedClient, type ResolveHost } from '@holdword/net/internal';
import type { ProtocolBinding } from '@holdword/protocol';
import { extensionsOf, openPeer, type PeerExtensions } from '../peers/open-peer.ts';
import { HttpEndpoint } from '../peers/http/http-endpoint.ts';
import type { HeaderSource } from '../peers/header-source.ts';
import type { Peer } from '../peers/peer.ts';
import type { AgentEntry } from './agent-entries.ts';
import { CardCache } from './card-cache.ts';
import { expandVariables } from './expand-variables.ts';
import type { ConfirmedCard, LoadedCard } from './published-card.ts';

export interface AgentLimits {
  /** For fetching a card. */
  cardTimeoutMilliseconds: number;
  cardMaxAgeMilliseconds: number;
  /** For one call, unless the caller says otherwise. */
  callTimeoutMilliseconds: number;
  maxResponseBytes: number;
}

export interface RegisteredAgentOptions {
  entry: AgentEntry;
  limits: AgentLimits;
  /** Ranges, addresses and hosts that cards may name although they are private. */
  allow: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  resolve?: ResolveHost;
  /** In place of the entry's. */
  headers?: HeaderSource;
  /** Where the card is, in place of where the entry's URL says. */
  cardUrls?: readonly string[];
  /** Which bindings to use, the best one first; others come after them. */
  preferredBindings?: readonly ProtocolBinding[];
  /** False for a URL that a stranger gave: it is called like any place that a card names. */
  trustsUrl?: boolean;
}

/** An agent as a session needs it: what it can do, and the way to it. */
export interface AgentConnection extends ConfirmedCard {
  readonly peer: Peer;
  readonly extensions: PeerExtensions;
}

/**
 * One agent that the user has named: its card, its headers, the way to it.
 *
 * Responsible for where its headers go. They belong to the origin that the user typed, and to others that the user
 * listed; a card may name any place, but that place gets none of them, and must be on the public internet unless it is
 * on the host that the user typed. Leaves fetching to CardCache and calling to the peer.
 */
export class RegisteredAgent {
  readonly #options: RegisteredAgentOptions;
  readonly #client: GuardedClient;
  readonly #trustedOrigins: ReadonlySet<string>;
  readonly #cards: CardCache;
  readonly #peers = new Map<LoadedCard['card'], Peer>();

  constructor(options: RegisteredAgentOptions) {
    const { entry, limits, allow, resolve, trustsUrl = true } = options;
    this.#options = options;
    const typed = trustsUrl ? [entry.url, ...(entry.trusted_origins ?? [])] : [];
    this.#trustedOrigins = new Set(typed.flatMap(originsOf));
    this.#client = createGuardedClient({
      // An agent can reach its own host itself, so being sent to another port of it opens nothing.
      allow: trustsUrl ? [...allow, ...hostsOf(entry.url)] : [...allow],
      trustedOrigins: [...this.#trustedOrigins],
      ...(resolve && { resolve }),
    });
    this.#cards = new CardCache({
      endpoint: () => this.#endpoint(),
      urls: options.cardUrls ?? cardUrls(entry.url),
      timeoutMilliseconds: limits.cardTimeoutMilliseconds,
      maxAgeMilliseconds: limits.cardMaxAgeMilliseconds,
    });
  }

  /** With the variables of the environment filled in; throws an A2AError when one is not set. */
  headers(): Record<string, string> {
    return expandVariables(this.#options.entry.custom_headers ?? {}, this.#options.environment);
  }

  card(signal?: AbortSignal): Promise<ConfirmedCard> {
    return this.#cards.load(signal);
  }

  async connect(signal?: AbortSignal): Promise<AgentConnection> {
    const loaded = await this.#cards.load(signal);
    const { card } = loaded;
    const peer = this.#peers.get(card) ?? this.#openPeer(card);
    return { ...loaded, peer, extensions: extensionsOf(card) };
  }

  /** The card is asked for again before the next call, because the agent was not where it says. */
  expireCard(): void {
    this.#cards.expire();
  }

  close(): void {
    for (const peer of this.#peers.values()) peer.close();
    this.#peers.clear();
    this.#client.close();
  }

  #openPeer(card: LoadedCard['card']): Peer {
    const { preferredBindings } = this.#options;
    const { maxResponseBytes, callTimeoutMilliseconds } = this.#options.limits;
    const peer = openPeer({
      client: this.#client,
      card,
      headers: this.#options.headers ?? this.headers(),
      trustedOrigins: this.#trustedOrigins,
      ...(preferredBindings && { preferredBindings }),
      maxResponseBytes,
      timeoutMilliseconds: callTimeoutMilliseconds,
    });
    // Peers of earlier cards stay open: calls may still be under way on them.
    this.#peers.set(card, peer);
    return peer;
  }

  #endpoint(): HttpEndpoint {
    const { maxResponseBytes, cardTimeoutMilliseconds } = this.#options.limits;
    return new HttpEndpoint({
      client: this.#client,
      headers: this.#options.headers ?? this.headers(),
      allowCallHeaders: true,
      maxResponseBytes,
      timeoutMilliseconds: cardTimeoutMilliseconds,
    });
  }
}

const THIS_MACHINE = ['127.0.0.1', 'localhost', '[::1]'];

/** The origin of a URL. This machine has several names, and agents on it seldom know by which one they are called. */
function originsOf(url: string): string[] {
  const { protocol, hostname, port, origin } = new URL(url);
  if (!THIS_MACHINE.includes(hostname)) return [origin];
  return THIS_MACHINE.map((host) => `${protocol}//${host}${port === '' ? '' : `:${port}`}`);
}

/** The host of a URL as an allow list has it. */
function hostsOf(url: string): string[] {
  const { hostname } = new URL(url);
  const hosts = THIS_MACHINE.includes(hostname) ? THIS_MACHINE : [hostname];
  return hosts.map((host) => host.replace(/^\[(.*)\]$/, '$1'));
}

/** An address without a path means the usual place, and where 0.3 had it before. */
function cardUrls(url: string): string[] {
  const { origin, pathname, search } = new URL(url);
  if (pathname !== '/' || search !== '') return [url];
  return [`${origin}/.well-known/agent-card.json`, `${origin}/.well-known/agent.json`];
}
