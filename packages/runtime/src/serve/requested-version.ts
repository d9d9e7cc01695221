import { parseVersion, VERSION_PARAMETER, type ProtocolVersion } from '@parley/protocol';
import { headerValue, type RequestHeaders } from './auth/authentication.ts';

const HEADER = VERSION_PARAMETER.toLowerCase();

/** The version a request asks for, in a header or in the query, where browsers can put it. */
export function requestedVersion(headers: RequestHeaders, query: string): ProtocolVersion {
  const header = headerValue(headers, HEADER);
  return parseVersion(header ?? (query === '' ? null : new URLSearchParams(query).get(VERSION_PARAMETER)));
}
