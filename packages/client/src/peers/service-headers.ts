import {
  EXTENSIONS_PARAMETER,
  LEGACY_EXTENSIONS_PARAMETER,
  VERSION_PARAMETER,
  type ProtocolVersion,
} from '@parley/protocol';
import type { PeerCallOptions } from './peer.ts';

/**
 * What a call says beside its request, in HTTP headers or gRPC metadata: the version, the extensions that both sides
 * know, the key of a send, the place to go on from. 0.3 has no version to say.
 */
export function serviceHeaders(
  version: ProtocolVersion,
  extensions: readonly string[],
  { idempotencyKey, resumeAfter }: PeerCallOptions,
  resumeHeader: 'Last-Event-ID' | 'Parley-Resume-After',
): Record<string, string> {
  const extensionsName = version === '1.0' ? EXTENSIONS_PARAMETER : LEGACY_EXTENSIONS_PARAMETER;
  return {
    ...(version === '1.0' && { [VERSION_PARAMETER]: version }),
    ...(extensions.length > 0 && { [extensionsName]: extensions.join(',') }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    ...(resumeAfter !== undefined && { [resumeHeader]: String(resumeAfter) }),
  };
}
