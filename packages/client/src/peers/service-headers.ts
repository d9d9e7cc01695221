import type { ProtocolVersion } from '@holdword/protocol';
import {
  EXTENSIONS_PARAMETER,
  LEGACY_EXTENSIONS_PARAMETER,
  VERSION_PARAMETER,
} from '@holdword/protocol/internal';
import type { PeerCallOptions } from './peer.ts';

/**
 * The service parameters of a request, in HTTP headers or gRPC metadata: the version, the shared extensions, and the
 * resume cursor. 0.3 has no version parameter. An agent with the idempotency extension uses the message id as the
 * idempotency key if the client declares the extension.
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
