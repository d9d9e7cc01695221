import type { ProtocolVersion } from '@holdword/protocol';
import { parseVersion, VERSION_PARAMETER } from '@holdword/protocol/internal';
import { headerValue, type RequestHeaders } from './auth/authentication.ts';

const HEADER = VERSION_PARAMETER.toLowerCase();

/**
 * The version that a request names in a header, or in the query, where browsers can set it. `unversioned` if it names
 * none.
 */
export function requestedVersion(
  headers: RequestHeaders,
  query: string,
  unversioned: ProtocolVersion = '0.3',
): ProtocolVersion {
  const header = headerValue(headers, HEADER);
  const asked = header || (query === '' ? null : new URLSearchParams(query).get(VERSION_PARAMETER));
  return asked ? parseVersion(asked) : unversioned;
}
