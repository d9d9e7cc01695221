import { isIP } from 'node:net';
import type { AllowList } from './allow-list.ts';
import { bareHost } from './bare-host.ts';
import { forbiddenRangeOf } from './forbidden-ranges.ts';
import { ForbiddenUrlError } from './forbidden-url-error.ts';

/** A URL that passed every check that needs no name resolution. */
export interface CheckedUrl {
  url: URL;
  /** Without brackets and trailing dots. */
  host: string;
  /** The host is an IP address, not a name. */
  isAddress: boolean;
  /** Every address behind the name must be on the allow list: being public is not enough. */
  mustBeAllowed: boolean;
}

const LONGEST_URL = 2048;
/** Names that refer to this machine or the local network wherever they are resolved. */
const LOCAL_NAME = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa)$|^[^.]+$/;
/** Ports of services that are not HTTP and could misinterpret an HTTP request. */
const OTHER_SERVICES: ReadonlySet<number> = new Set([
  1433, 1521, 1719, 1720, 1723, 2049, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5900, 6000, 6379, 6566,
  6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211, 27017,
]);

/** Makes all checks that need no name resolution. Throws ForbiddenUrlError. */
export function checkUrl(text: string, allowList: AllowList): CheckedUrl {
  const url = parse(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new ForbiddenUrlError('its scheme is not https');
  if (url.username !== '' || url.password !== '') throw new ForbiddenUrlError('it contains credentials');
  const host = bareHost(url.hostname);
  checkPort(url);
  const isAddress = isIP(host) !== 0;
  const allowed = allowList.allowsHost(host) || (isAddress && allowList.allowsAddress(host));
  if (isAddress && !allowed) checkAddress(host);
  const plain = url.protocol === 'http:';
  const mustBeAllowed = !allowed && (plain || (!isAddress && LOCAL_NAME.test(host)));
  if (mustBeAllowed && (isAddress || !allowList.hasAddresses)) {
    throw new ForbiddenUrlError(
      plain ? 'http is only allowed for hosts on the allow list; use https' : 'its host is a local name',
    );
  }
  return { url, host, isAddress, mustBeAllowed };
}

/** Throws ForbiddenUrlError if the IP address is not on the public internet. */
export function checkAddress(address: string): void {
  const range = forbiddenRangeOf(address);
  if (range !== undefined) throw new ForbiddenUrlError(`its address is in a forbidden range (${range})`);
}

function parse(text: string): URL {
  if (text.length > LONGEST_URL) throw new ForbiddenUrlError(`it is longer than ${LONGEST_URL} characters`);
  // URL parsers differ in how they drop or convert these.
  if (/[\s\\\p{Cc}]/u.test(text))
    throw new ForbiddenUrlError('it contains whitespace, control characters or backslashes');
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(text)) throw new ForbiddenUrlError('it is not an absolute URL');
  try {
    return new URL(text);
  } catch {
    throw new ForbiddenUrlError('it is not an absolute URL');
  }
}

function checkPort(url: URL): void {
  if (url.port === '') return;
  const port = Number(url.port);
  const isHttpPort = port === 80 || port === 443 || (port >= 1024 && !OTHER_SERVICES.has(port));
  if (!isHttpPort) throw new ForbiddenUrlError(`port ${port} is not an HTTP port`);
}
