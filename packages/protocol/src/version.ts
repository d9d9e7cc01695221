import { A2AError } from './errors/a2a-error.ts';

/** The versions this package speaks, preferred first. */
export const PROTOCOL_VERSIONS = ['1.0', '0.3'] as const;
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number];

/** The HTTP header, in gRPC the metadata key, and as it is written here the query parameter. */
export const VERSION_PARAMETER = 'A2A-Version';

const VERSION = /^(?<major>\d+)(?:\.(?<minor>\d+)(?:\.\d+)?)?$/;

/**
 * Reads the version a client asked for. Without one it speaks 0.3, which had no such parameter (spec 3.6.2); a patch
 * number never matters.
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
    `A2A version ${JSON.stringify(asked.slice(0, 20))} is not supported. Send ${VERSION_PARAMETER} with one of: ${list}.`,
    { metadata: { supportedVersions: list } },
  );
}
