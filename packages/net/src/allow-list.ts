import { BlockList, isIP, isIPv6 } from 'node:net';
import { bareHost, familyOf } from './addresses.ts';

/** Hosts and addresses outside the public internet that an operator allows. */
export interface AllowList {
  /** Whether the list contains addresses. If not, names need not be resolved to check it. */
  readonly hasAddresses: boolean;
  allowsHost(host: string): boolean;
  allowsAddress(address: string): boolean;
}

/** A name does not end with a number: `127.0.0.300` is a wrong address. */
const HOST_NAME = /^(?!-)(?:[a-z0-9_-]+\.)*(?!\d+$)[a-z0-9_-]+$/;

/** Whether an entry is valid. */
export function isAllowEntry(entry: string): boolean {
  try {
    parseAllowList([entry]);
    return true;
  } catch {
    return false;
  }
}

/** Parses entries such as `10.0.0.0/8`, `::1` and `receiver.internal`. Throws an Error that names an invalid entry. */
export function parseAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>();
  const addresses = new BlockList();
  for (const entry of entries) {
    const [network = '', prefix, ...rest] = entry.split('/');
    if (isIP(network) !== 0 && rest.length === 0) addSubnet(addresses, network, prefix, entry);
    else if (HOST_NAME.test(bareHost(entry))) hosts.add(bareHost(entry));
    else throw invalidEntry(entry);
  }
  return {
    hasAddresses: addresses.rules.length > 0,
    allowsHost: (host) => hosts.has(bareHost(host)),
    allowsAddress: (address) => addresses.check(address, familyOf(address)),
  };
}

function addSubnet(list: BlockList, network: string, prefix: string | undefined, entry: string): void {
  const bits = isIPv6(network) ? 128 : 32;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!(length >= 0 && length <= bits)) throw invalidEntry(entry);
  list.addSubnet(network, length, familyOf(network));
}

function invalidEntry(entry: string): Error {
  return new Error(
    `Invalid allow list entry "${entry}"; use a CIDR range such as 10.0.0.0/8, an IP address or a host name.`,
  );
}
