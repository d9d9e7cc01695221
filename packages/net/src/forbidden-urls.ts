import { BlockList, isIP, isIPv6 } from 'node:net';
import { hasErrorCode } from '@holdword/protocol/internal';
import { bareHost, familyOf } from './addresses.ts';
import type { AllowList } from './allow-list.ts';

/** A URL that passed every check that needs no name resolution. */
export interface CheckedUrl {
  url: URL;
  /** Without brackets and trailing dots. */
  host: string;
  /** The host is an IP address, not a name. */
  isAddress: boolean;
  /** Every address behind the name must be on the allow list: being public is not enough. */
  mustBeAllowed: boolean;
  /** The operator has typed its origin, which may be link-local: Podman gives its host such an address. */
  isTyped: boolean;
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
  checkNeverAllowed(host, { isTyped: false });
  const allowed = allowList.allowsHost(host) || (isAddress && allowList.allowsAddress(host));
  if (isAddress && !allowed) checkAddress(host);
  const plain = url.protocol === 'http:';
  const mustBeAllowed = !allowed && (plain || (!isAddress && LOCAL_NAME.test(host)));
  if (mustBeAllowed && (isAddress || !allowList.hasAddresses)) {
    throw new ForbiddenUrlError(
      plain ? 'http is only allowed for hosts on the allow list; use https' : 'its host is a local name',
      { canBeAllowed: true },
    );
  }
  return { url, host, isAddress, mustBeAllowed, isTyped: false };
}

/** Throws ForbiddenUrlError if the IP address is not on the public internet. */
export function checkAddress(address: string): void {
  const range = forbiddenRangeOf(address);
  if (range === undefined) return;
  throw new ForbiddenUrlError(`its address is in a forbidden range (${range})`, { canBeAllowed: true });
}

/**
 * Throws ForbiddenUrlError if no allow list may open a host name or address. Metadata services give the credentials of the machine
 * to any request from it, so not even an origin that the operator has typed leads there: who owns its name chooses where that leads.
 */
export function checkNeverAllowed(host: string, { isTyped }: Pick<CheckedUrl, 'isTyped'>): void {
  const [address = ''] = host.split('%', 1);
  const isIn = (list: BlockList): boolean => isIP(address) !== 0 && list.check(address, familyOf(address));
  if (METADATA_NAMES.has(host) || isIn(METADATA)) {
    throw new ForbiddenUrlError('it leads to a cloud metadata service, which is never called');
  }
  if (!isTyped && isIn(LINK_LOCAL)) {
    throw new ForbiddenUrlError('its address is link-local, which no allow list opens');
  }
}

const LOCAL_RANGES: ReadonlySet<string | undefined> = new Set(['loopback', 'private', 'unique local']);

/** Whether an IP address is one of this machine or of a private network. */
export function isLocalAddress(address: string): boolean {
  return LOCAL_RANGES.has(forbiddenRangeOf(address));
}

/** Whether an IP address, which may name the interface of this machine it is for, is on the public internet. */
export function isPublicAddress(address: string): boolean {
  const [plain = ''] = address.split('%', 1);
  return forbiddenRangeOf(plain) === undefined;
}

function parse(text: string): URL {
  if (text.length > LONGEST_URL) throw new ForbiddenUrlError(`it is longer than ${LONGEST_URL} characters`);
  // URL parsers differ in how they drop or convert these.
  if (/[\s\\\p{Cc}]/u.test(text))
    throw new ForbiddenUrlError('it contains whitespace, control characters or backslashes');
  // Digits after a colon are a port, so the text before it is a host.
  if (/^(?!https?:)[a-z][a-z0-9+.-]*:(?!\d)/i.test(text))
    throw new ForbiddenUrlError('its scheme is not https');
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

type Family = ReturnType<typeof familyOf>;

interface Range {
  name: string;
  list: BlockList;
}

const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'metadata.tencentyun.com',
  'instance-data.ec2.internal',
]);
/** Services of cloud providers that give credentials to machines and containers. */
const METADATA_IPV4 = [
  '169.254.169.0/24',
  '169.254.170.0/24',
  '169.254.0.23/32',
  '169.254.42.42/32',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
];
const METADATA_IPV6 = ['fd00:ec2::/32', 'fd00:42::42/128', 'fd20:ce::254/128', 'fe80::a9fe:a9fe/128'];
const METADATA = blockList({
  ipv4: METADATA_IPV4,
  ipv6: [...METADATA_IPV6, ...METADATA_IPV4.flatMap(insideIpv6)],
});
const LINK_LOCAL = blockList({
  ipv4: ['169.254.0.0/16'],
  ipv6: ['fe80::/10', ...insideIpv6('169.254.0.0/16')],
});

/**
 * Addresses that an untrusted URL must not lead to, by purpose: IANA's special-purpose registries, and cloud metadata
 * services outside of them.
 */
const IPV4_RANGES = ranges('ipv4', {
  'this network': ['0.0.0.0/8'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  'carrier-grade NAT': ['100.64.0.0/10'],
  loopback: ['127.0.0.0/8'],
  'link-local': ['169.254.0.0/16'],
  'cloud metadata': ['168.63.129.16/32'],
  'protocol assignments': ['192.0.0.0/24', '192.88.99.0/24', '192.31.196.0/24', '192.175.48.0/24'],
  documentation: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24'],
  benchmarking: ['198.18.0.0/15'],
  multicast: ['224.0.0.0/4'],
  reserved: ['240.0.0.0/4'],
});

const IPV6_RANGES = ranges('ipv6', {
  unspecified: ['::/128'],
  loopback: ['::1/128'],
  'IPv4-mapped': ['::ffff:0:0/96'],
  'IPv4-compatible': ['::/96'],
  NAT64: ['64:ff9b::/96', '64:ff9b:1::/48'],
  'discard-only': ['100::/64'],
  Teredo: ['2001::/32'],
  'protocol assignments': ['2001::/23'],
  documentation: ['2001:db8::/32', '3fff::/20'],
  '6to4': ['2002::/16'],
  'unique local': ['fc00::/7'],
  'link-local': ['fe80::/10'],
  'site-local': ['fec0::/10'],
  multicast: ['ff00::/8'],
});

const IPV6_GLOBAL = blockList({ ipv6: ['2000::/3'] });

/** The name of the forbidden range that contains an IP address; undefined for a public address. */
function forbiddenRangeOf(address: string): string | undefined {
  if (!isIPv6(address)) return IPV4_RANGES.find(({ list }) => list.check(address, 'ipv4'))?.name;
  const named = IPV6_RANGES.find(({ list }) => list.check(address, 'ipv6'))?.name;
  return named ?? (IPV6_GLOBAL.check(address, 'ipv6') ? undefined : 'reserved');
}

function ranges(family: Family, table: Readonly<Record<string, readonly string[]>>): Range[] {
  return Object.entries(table).map(([name, subnets]) => ({ name, list: blockList({ [family]: subnets }) }));
}

function blockList(subnets: Partial<Record<Family, readonly string[]>>): BlockList {
  const list = new BlockList();
  for (const family of ['ipv4', 'ipv6'] as const) {
    for (const subnet of subnets[family] ?? []) {
      const [network = '', prefix] = subnet.split('/');
      list.addSubnet(network, Number(prefix), family);
    }
  }
  return list;
}

/** The IPv6 addresses that gateways translate to an IPv4 network. A BlockList knows the IPv4-mapped ones itself. */
function insideIpv6(subnet: string): string[] {
  const [network = '', prefix] = subnet.split('/');
  const hex = Buffer.from(network.split('.').map(Number)).toString('hex');
  const bits = Number(prefix);
  const prefixes = ['::', '64:ff9b::', '64:ff9b:1::'].map((start) => `${start}${network}/${96 + bits}`);
  return [...prefixes, `2002:${hex.slice(0, 4)}:${hex.slice(4)}::/${16 + bits}`];
}

/** A URL that must not be called. The message is a clause that continues "the URL is not allowed because". */
export class ForbiddenUrlError extends Error {
  readonly code = 'FORBIDDEN_URL';
  /** Whether an allow list could open it, so that it makes sense to advise that. */
  readonly canBeAllowed: boolean;

  constructor(reason: string, { canBeAllowed = false } = {}) {
    super(reason);
    this.name = 'ForbiddenUrlError';
    this.canBeAllowed = canBeAllowed;
  }
}

/** Works across several copies of this package. */
export function isForbiddenUrlError(error: unknown): error is ForbiddenUrlError {
  return hasErrorCode(error, 'FORBIDDEN_URL');
}
