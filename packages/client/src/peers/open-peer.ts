import type { GuardedClient } from '@holdword/net/internal';
import {
  A2AError,
  IDEMPOTENCY_EXTENSION,
  RESUME_EXTENSION,
  type AgentCard,
  type ProtocolBinding,
} from '@holdword/protocol';
import { OWN_EXTENSIONS } from '@holdword/protocol/internal';
import type { LargeParts } from '../large/large-parts.ts';
import { createPeer } from './create-peer.ts';
import { FallbackPeer } from './fallback-peer.ts';
import { openJsonRpcWire } from './json-rpc-wire.ts';
import type { Peer } from './peer.ts';
import { openRestWire } from './rest-wire.ts';
import { parseGrpcTarget, usableInterfaces, type UsableInterface } from './usable-interfaces.ts';
import { hasHeaders, type HeaderSource } from './wire.ts';
import type { Wire, WireOptions } from './wire.ts';

export interface OpenPeerOptions {
  client: GuardedClient;
  card: AgentCard;
  /** Credentials and other headers, sent only to trusted origins. */
  headers: HeaderSource;
  /** The only origins that receive the headers, whatever the card says. */
  trustedOrigins: ReadonlySet<string>;
  /** Preferred bindings in order; the others keep the order of the card. */
  preferredBindings?: readonly ProtocolBinding[];
  maxResponseBytes: number;
  largeParts?: LargeParts | undefined;
  timeoutMilliseconds: number;
  /** Called when no interface could be connected to. */
  onUnreachable?: () => void;
}

/** Which of our extensions an agent supports. */
export interface PeerExtensions {
  resume: boolean;
  idempotency: boolean;
}

export function extensionsOf(card: AgentCard): PeerExtensions {
  const uris = declaredExtensions(card);
  return { resume: uris.includes(RESUME_EXTENSION), idempotency: uris.includes(IDEMPOTENCY_EXTENSION) };
}

/**
 * Opens a peer for the agent of a card: its interfaces in the user's order, then in the card's, each opened if the earlier
 * ones cannot be reached. If there are headers, interfaces on trusted origins come first; the others are called without
 * headers.
 */
export function openPeer(options: OpenPeerOptions): Peer {
  const { card, headers, trustedOrigins, preferredBindings = [] } = options;
  const usable = byPreference(usableInterfaces(card), preferredBindings);
  if (usable.length === 0) {
    throw new A2AError(
      'VERSION_NOT_SUPPORTED',
      'The agent card lists no supported interface. Supported are A2A 1.1, 1.0 and 0.3 over JSONRPC, HTTP+JSON and GRPC.',
    );
  }
  const isTrusted = ({ origin }: UsableInterface): boolean => trustedOrigins.has(origin);
  const ordered = hasHeaders(headers)
    ? [...usable.filter(isTrusted), ...usable.filter((each) => !isTrusted(each))]
    : usable;
  return new FallbackPeer(
    ordered.map((each) => () => openInterface(options, each, isTrusted(each))),
    options.onUnreachable,
  );
}

/** The sort is stable: interfaces of equal rank keep the order of the card. */
function byPreference(
  interfaces: readonly UsableInterface[],
  preferred: readonly ProtocolBinding[],
): UsableInterface[] {
  const rank = ({ binding }: UsableInterface): number => {
    const index = preferred.indexOf(binding);
    return index === -1 ? preferred.length : index;
  };
  return interfaces.toSorted((left, right) => rank(left) - rank(right));
}

async function openInterface(
  options: OpenPeerOptions,
  { binding, version, url, tenant }: UsableInterface,
  isTrusted: boolean,
): Promise<Peer> {
  const { client, card, maxResponseBytes, largeParts, timeoutMilliseconds } = options;
  const headers = isTrusted ? options.headers : {};
  const declared = declaredExtensions(card);
  const extensions = OWN_EXTENSIONS.filter((uri) => declared.includes(uri));
  const wireOptions = {
    client,
    url,
    version,
    extensions,
    headers,
    allowCallHeaders: isTrusted,
    maxResponseBytes,
    largeParts,
    timeoutMilliseconds,
  };
  return createPeer(await openWire(binding, wireOptions), {
    binding,
    version,
    tenant,
    sequencesEvents: declared.includes(RESUME_EXTENSION),
    largeParts,
  });
}

/** Opens one interface, without checking what it answers. */
export async function openWire(binding: UsableInterface['binding'], options: WireOptions): Promise<Wire> {
  switch (binding) {
    case 'JSONRPC':
      return openJsonRpcWire(options);
    case 'HTTP+JSON':
      return openRestWire(options);
    case 'GRPC':
    default: {
      const target = parseGrpcTarget(options.url);
      if (target === undefined) throw new Error('usable interfaces have a readable address');
      // Loaded on demand: gRPC is by far the largest dependency.
      const { openGrpcWire } = await import('./grpc-wire.ts');
      return openGrpcWire({ ...options, target });
    }
  }
}

function declaredExtensions(card: AgentCard): (string | undefined)[] {
  return card.capabilities.extensions?.map(({ uri }) => uri) ?? [];
}
