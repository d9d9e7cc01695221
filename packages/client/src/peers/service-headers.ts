import type { ProtocolVersion } from '@holdword/protocol';
import {
  EXTENSIONS_PARAMETER,
  LEGACY_EXTENSIONS_PARAMETER,
  VERSION_PARAMETER,
} from '@holdword/protocol/internal';
import type { PeerCallOptions } from './peer.ts';

/**
 * What a call says beside its request, in HTTP headers or gRPC metadata: the version, the extensions that both sides
 * know, the place to go on from. 0.3 has no version to say. An agent that has the idempotency extension and is told that we
 * know it takes the id of a message for its key.
 */
export function serviceHeaders(
  version: ProtocolVersion,
  extensions: readonly string[],
  { resumeAfter }: PeerCallOptions,
  resumeHeader: 'Last-Event-ID' | 'Holdword-Resume-After',
): Record<string, string> {
  const extensionsName = version === '1.0' ? EXTENSIONS_PARAMETER : LEGACY_EXTENSIONS_PARAMETER;
  return {
    ...(version === '1.0' && { [VERSION_PARAMETER]: version }),
    ...(extensions.length > 0 && { [extensionsName]: extensions.join(',') }),
    ...(resumeAfter !== undefined && { [resumeHeader]: String(resumeAfter) }),
  };
}
