import { isIP } from 'node:net';
import { isLocalAddress } from '@holdword/net/internal';
import type { AgentCard, ProtocolBinding, ProtocolVersion } from '@holdword/protocol';

/** An interface of a card with a supported binding and version. */
export interface UsableInterface {
  binding: ProtocolBinding;
  version: ProtocolVersion;
  url: string;
  /** Scheme, host and port, which credentials are pinned to. */
  origin: string;
  tenant?: string;
}

/** The supported interfaces, in the order of the card, but 1.1 before 1.0 of the same binding. */
export function usableInterfaces(card: AgentCard): UsableInterface[] {
  const usable = card.supportedInterfaces.flatMap(({ url, protocolBinding, protocolVersion, tenant }) => {
    const binding = bindingOf(protocolBinding);
    const version = versionOf(protocolVersion);
    const origin = binding && originOf(url, binding);
    if (binding === undefined || version === undefined || origin === undefined) return [];
    return [{ binding, version, url, origin, ...(tenant !== undefined && { tenant }) }];
  });
  const positionOf = (each: UsableInterface): number =>
    each.version === '0.3'
      ? usable.indexOf(each)
      : usable.findIndex(({ binding, version }) => binding === each.binding && version !== '0.3');
  const rank = (each: UsableInterface): number => positionOf(each) * 2 + (each.version === '1.1' ? 0 : 1);
  return usable.toSorted((left, right) => rank(left) - rank(right));
}

function bindingOf(name: string): ProtocolBinding | undefined {
  switch (name.toUpperCase()) {
    case 'JSONRPC':
      return 'JSONRPC';
    case 'HTTP+JSON':
      return 'HTTP+JSON';
    case 'GRPC':
      return 'GRPC';
    default:
      return undefined;
  }
}

/** Patch versions are ignored. */
function versionOf(text: string): ProtocolVersion | undefined {
  if (/^1(\.0(\.\d+)?)?$/.test(text)) return '1.0';
  if (/^1\.1(\.\d+)?$/.test(text)) return '1.1';
  return /^0\.3(\.\d+)?$/.test(text) ? '0.3' : undefined;
}

function originOf(url: string, binding: ProtocolBinding): string | undefined {
  if (binding === 'GRPC') {
    const target = parseGrpcTarget(url);
    return target && new URL(target.url).origin;
  }
  return URL.canParse(url) && /^https?:/i.test(url) ? new URL(url).origin : undefined;
}

export interface GrpcTarget {
  host: string;
  port: number;
  secure: boolean;
  /** The same address as a URL, for the guarded client and for comparing origins. */
  url: string;
}

/**
 * Parses the address of a gRPC interface: `host:port` as in the specification, or a URL. Without a scheme TLS is used,
 * except for addresses of this machine and of private networks, which rarely have certificates: they are recognized by the parsed
 * address, because a name may begin like one. Returns undefined for anything else.
 */
export function parseGrpcTarget(address: string): GrpcTarget | undefined {
  const [, scheme, rest] = /^(?:(https?|grpcs?):\/\/)?([^/]+)\/?$/i.exec(address) ?? [];
  // A user name could look like the host.
  if (rest === undefined || rest.includes('@') || !URL.canParse(`http://${rest}`)) return undefined;
  const { hostname } = new URL(`http://${rest}`);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const secure = scheme === undefined ? !isLocalHost(host) : scheme.toLowerCase().endsWith('s');
  // Read from the text, because URL drops the default port of its scheme.
  const port = Number(/:(\d+)$/.exec(rest)?.[1] ?? (secure ? 443 : 80));
  const shown = isIP(host) === 6 ? `[${host}]` : host;
  return { host, port, secure, url: `${secure ? 'https' : 'http'}://${shown}:${port}` };
}

/** Whether a host is on this machine or in a private network for certain: a literal address, or a name that is reserved for it. */
function isLocalHost(host: string): boolean {
  if (isIP(host) !== 0) return isLocalAddress(host);
  return /(?:^|\.)localhost$/i.test(host);
}
