import { shorten } from './basics/shorten.ts';
import { A2AError } from './errors/a2a-error.ts';

/**
 * The supported versions, in the order of cards. Clients take the first interface that they support, and many of them know
 * 1.0 alone, so that stays first.
 */
export const PROTOCOL_VERSIONS = ['1.0', '1.1', '0.3'] as const;
/** A supported version of A2A. */
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

/** The HTTP header, gRPC metadata key and query parameter for the version. */
export const VERSION_PARAMETER = 'A2A-Version';

const VERSION = /^(?<major>\d+)(?:\.(?<minor>\d+)(?:\.\d+)?)?$/;

/**
 * Parses the version a client requested. Without one it speaks 0.3, which had no such parameter (spec 3.6.2). The patch
 * number is ignored.
 */
export function parseVersion(value: string | null | undefined): ProtocolVersion {
  if (value === '1.0') return value;
  const asked = value?.trim() ?? '';
  if (asked === '') return '0.3';
  const groups = VERSION.exec(asked)?.groups;
  const version = groups && `${Number(groups['major'])}.${Number(groups['minor'] ?? 0)}`;
  const supported = PROTOCOL_VERSIONS.find((candidate) => candidate === version);
  if (supported !== undefined) return supported;

  const list = PROTOCOL_VERSIONS.join(', ');
  throw new A2AError(
    'VERSION_NOT_SUPPORTED',
    `A2A version ${JSON.stringify(shorten(asked, 20))} is not supported. Send ${VERSION_PARAMETER} with one of: ${list}.`,
    { metadata: { supportedVersions: list } },
  );
}
