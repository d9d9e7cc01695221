import type { AgentCard, ProtocolBinding, ProtocolVersion } from '@holdword/protocol';
import { parseGrpcTarget } from './grpc/grpc-target.ts';

/** An interface of a card with a supported binding and version. */
export interface UsableInterface {
  binding: ProtocolBinding;
  version: ProtocolVersion;
  url: string;
  /** Scheme, host and port, which credentials are pinned to. */
  origin: string;
  tenant?: string;
}

/** The supported interfaces, in the order of the card. */
export function usableInterfaces(card: AgentCard): UsableInterface[] {
  return card.supportedInterfaces.flatMap(({ url, protocolBinding, protocolVersion, tenant }) => {
    const binding = bindingOf(protocolBinding);
    const version = versionOf(protocolVersion);
    const origin = binding && originOf(url, binding);
    if (binding === undefined || version === undefined || origin === undefined) return [];
    return [{ binding, version, url, origin, ...(tenant !== undefined && { tenant }) }];
  });
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
  return /^0\.3(\.\d+)?$/.test(text) ? '0.3' : undefined;
}

function originOf(url: string, binding: ProtocolBinding): string | undefined {
  if (binding === 'GRPC') {
    const target = parseGrpcTarget(url);
    return target && new URL(target.url).origin;
  }
  return URL.canParse(url) && /^https?:/i.test(url) ? new URL(url).origin : undefined;
}
