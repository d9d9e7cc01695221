import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import type { AllowList } from './allow-list.ts';
import { checkAddress, type CheckedUrl, checkNeverAllowed, ForbiddenUrlError } from './forbidden-urls.ts';

/** One address of a host name. */
export interface HostAddress {
  /** `203.0.113.7` or `2001:db8::7`. */
  address: string;
  /** 4 or 6. */
  family: number;
}

/** Returns all addresses of a name. Rejects if there are none. */
export type ResolveHost = (host: string) => Promise<HostAddress[]>;

export const resolveWithSystem: ResolveHost = (host) => lookup(host, { all: true, verbatim: true });

/**
 * The addresses to connect to, all of them checked: a single forbidden address rules out the name, because its owner
 * controls which one is chosen. Rejects with ForbiddenUrlError or the resolver's error.
 */
export async function resolveChecked(
  checked: CheckedUrl,
  allowList: AllowList,
  resolve: ResolveHost,
): Promise<HostAddress[]> {
  const { host, isAddress, mustBeAllowed } = checked;
  checkNeverAllowed(host, checked);
  if (isAddress) return [{ address: host, family: isIPv6(host) ? 6 : 4 }];
  const addresses = await resolve(host);
  for (const { address } of addresses) checkNeverAllowed(address, checked);
  if (allowList.allowsHost(host)) return addresses;
  for (const { address } of addresses) {
    if (allowList.allowsAddress(address)) continue;
    checkAddress(address);
    if (mustBeAllowed) {
      throw new ForbiddenUrlError(
        checked.url.protocol === 'http:'
          ? 'http is only allowed for hosts on the allow list; use https'
          : 'its host is a local name',
        { canBeAllowed: true },
      );
    }
  }
  return addresses;
}
