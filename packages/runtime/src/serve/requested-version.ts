import type { ProtocolVersion } from '@holdword/protocol';
import { parseVersion, VERSION_PARAMETER } from '@holdword/protocol/internal';
import { headerValue, type RequestHeaders } from './auth/authentication.ts';

const HEADER = VERSION_PARAMETER.toLowerCase();

/** The version a request asks for, in a header or in the query, where browsers can put it; `silent` if it does not. */
export function requestedVersion(
  headers: RequestHeaders,
  query: string,
  silent: ProtocolVersion = '0.3',
): ProtocolVersion {
  const header = headerValue(headers, HEADER);
  const asked = header || (query === '' ? null : new URLSearchParams(query).get(VERSION_PARAMETER));
  return asked ? parseVersion(asked) : silent;
}
