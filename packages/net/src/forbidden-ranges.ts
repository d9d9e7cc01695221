import { BlockList, isIPv6 } from 'node:net';

interface Range {
  name: string;
  list: BlockList;
}

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

const IPV6_GLOBAL = blockList('ipv6', ['2000::/3']);

/** The name of the forbidden range that contains an IP address; undefined for a public address. */
export function forbiddenRangeOf(address: string): string | undefined {
  if (!isIPv6(address)) return IPV4_RANGES.find(({ list }) => list.check(address, 'ipv4'))?.name;
  const named = IPV6_RANGES.find(({ list }) => list.check(address, 'ipv6'))?.name;
  return named ?? (IPV6_GLOBAL.check(address, 'ipv6') ? undefined : 'reserved');
}

function ranges(family: 'ipv4' | 'ipv6', table: Readonly<Record<string, readonly string[]>>): Range[] {
  return Object.entries(table).map(([name, subnets]) => ({ name, list: blockList(family, subnets) }));
}

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
