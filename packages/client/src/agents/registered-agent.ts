import { isIP } from 'node:net';
import { createGuardedClient, type GuardedClient, type ResolveHost } from '@holdword/net/internal';
import type { ProtocolBinding } from '@holdword/protocol';
import { trimEndOf } from '@holdword/protocol/internal';
import type { LargeParts } from '../large/large-parts.ts';
import type { HeaderSource } from '../peers/wire.ts';
import { HttpEndpoint } from '../peers/http-endpoint.ts';
import { extensionsOf, openPeer, type PeerExtensions } from '../peers/open-peer.ts';
import type { Peer } from '../peers/peer.ts';
import { type AgentEntry, expandVariables } from './agent-entries.ts';
import { findRootCard } from './root-card.ts';
import { CardCache, type CheckedCard, type ConfirmedCard, type LoadedCard } from './card-cache.ts';

export interface AgentLimits {
  /** Timeout for fetching a card. */
  cardTimeoutMilliseconds: number;
  cardMaxAgeMilliseconds: number;
  /** Default timeout of a request. */
  callTimeoutMilliseconds: number;
  maxResponseBytes: number;
}

export interface RegisteredAgentOptions {
  entry: AgentEntry;
  limits: AgentLimits;
  /** Private address ranges, addresses and host names that cards may refer to. */
  allow: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  resolve?: ResolveHost;
  /** Where the contents of results go that are too large for memory. Without it, such results are rejected. */
  largeParts?: LargeParts;
  /** Replaces the headers of the entry. */
  headers?: HeaderSource;
  /** Candidate URLs of the card. Default: derived from the entry's URL. */
  cardUrls?: readonly string[];
  /**
   * Path of a card at the root of the origin, which is suggested if the candidates have none.
   * @default '/.well-known/agent-card.json'
   */
  rootCardPath?: string;
  /** Preferred bindings in order; others come after them. */
  preferredBindings?: readonly ProtocolBinding[];
  /** False for a URL from an untrusted source: it is treated like a URL in a card. */
  trustsUrl?: boolean;
}

/** A connection to an agent: its card, its peer, and the extensions it supports. */
export interface AgentConnection extends ConfirmedCard {
  readonly peer: Peer;
  readonly extensions: PeerExtensions;
}

/**
 * One registered agent: its card, its headers and its peer.
 *
 * Responsible for where headers are sent: only to the origin in the entry and to its trusted origins. A card may refer to
 * other origins, but these receive no headers, and must be public unless they are on the machine in the entry: at the same
 * IP address, or where the entry's host name has answered. Leaves fetching to CardCache, and requests to the peer.
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
      allow: trustsUrl ? [...allow, ...addressesOf(entry.url)] : [...allow],
      trustedOrigins: [...this.#trustedOrigins],
      guardsTrustedNames: true,
      ...(resolve && { resolve }),
    });
    const urls = options.cardUrls ?? cardUrls(entry.url);
    const { origin } = new URL(entry.url);
    const { rootCardPath: cardPath } = options;
    this.#cards = new CardCache({
      endpoint: () => this.#endpoint(),
      urls,
      findRootCard: () => findRootCard(this.#client, { origin, ...(cardPath && { cardPath }), asked: urls }),
      timeoutMilliseconds: limits.cardTimeoutMilliseconds,
      maxAgeMilliseconds: limits.cardMaxAgeMilliseconds,
    });
  }

  /** The headers with environment variables expanded. Throws an A2AError if a variable is not set. */
  headers(): Record<string, string> {
    return expandVariables(this.#options.entry.custom_headers ?? {}, this.#options.environment);
  }

  /** The card, and whether the agent still publishes it. */
  card(): Promise<CheckedCard> {
    return this.#cards.check();
  }

  async connect(signal?: AbortSignal): Promise<AgentConnection> {
    const loaded = await this.#cards.load(signal);
    const { card } = loaded;
    const peer = this.#peers.get(card) ?? this.#openPeer(card);
    return { ...loaded, peer, extensions: extensionsOf(card) };
  }

  /** Why its card could not be fetched so far; undefined if it was, or if nobody has tried. */
  get trouble(): unknown {
    return this.#cards.trouble;
  }

  /** Refetches the card before the next request, because the agent was not where its card says. */
  expireCard(): void {
    this.#cards.expire();
  }

  close(): void {
    for (const peer of this.#peers.values()) peer.close();
    this.#peers.clear();
    this.#client.close();
  }

  #openPeer(card: LoadedCard['card']): Peer {
    const { preferredBindings, largeParts } = this.#options;
    const { maxResponseBytes, callTimeoutMilliseconds } = this.#options.limits;
    const peer = openPeer({
      client: this.#client,
      card,
      headers: this.#options.headers ?? this.headers(),
      trustedOrigins: this.#trustedOrigins,
      ...(preferredBindings && { preferredBindings }),
      maxResponseBytes,
      largeParts,
      timeoutMilliseconds: callTimeoutMilliseconds,
      onUnreachable: () => this.#cards.doubt(),
    });
    // Peers of the last few cards stay open: they may have requests in flight.
    this.#peers.set(card, peer);
    const [oldest] = this.#peers;
    if (oldest !== undefined && this.#peers.size > MAX_PEERS) {
      this.#peers.delete(oldest[0]);
      oldest[1].close();
    }
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

/** An agent that publishes another card every few minutes must not grow. */
const MAX_PEERS = 8;
const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '[::1]'];

/** The origins that a URL stands for. Loopback has several names, and local agents rarely know which one clients use. */
function originsOf(url: string): string[] {
  const { protocol, hostname, port, origin } = new URL(url);
  if (!LOOPBACK_HOSTS.includes(hostname)) return [origin];
  return LOOPBACK_HOSTS.map((host) => `${protocol}//${host}${port === '' ? '' : `:${port}`}`);
}

/**
 * The machine of a URL in the format of an allow list, if the URL says which one it is: its other ports may be called. A name
 * does not: its owner chooses where it leads.
 */
function addressesOf(url: string): string[] {
  const { hostname } = new URL(url);
  if (LOOPBACK_HOSTS.includes(hostname)) return LOOPBACK_HOSTS.map(withoutBrackets);
  const host = withoutBrackets(hostname);
  return isIP(host) === 0 ? [] : [host];
}

function withoutBrackets(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}

/**
 * For the URL of an agent: the standard path below it, then the path of early 0.3 agents. A URL with a path may be that of a card
 * as well, and is tried first.
 */
function cardUrls(url: string): string[] {
  const { origin, pathname, search } = new URL(url);
  if (search !== '' || pathname.endsWith('.json') || pathname.includes('/.well-known/')) return [url];
  const mount = `${origin}${trimEndOf(pathname, '/')}`;
  const below = [`${mount}/.well-known/agent-card.json`, `${mount}/.well-known/agent.json`];
  return pathname === '/' ? below : [url, ...below];
}
