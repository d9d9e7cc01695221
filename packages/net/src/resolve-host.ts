import { lookup } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import type { AllowList } from './allow-list.ts';
import { checkAddress, type CheckedUrl } from './check-url.ts';
import { ForbiddenUrlError } from './forbidden-url-error.ts';

export interface HostAddress {
  address: string;
  /** 4 or 6. */
  family: number;
}

/** All addresses of a name. Rejects when there are none. */
export type ResolveHost = (host: string) => Promise<HostAddress[]>;

export const resolveWithSystem: ResolveHost = (host) => lookup(host, { all: true, verbatim: true });

/**
 * The addresses to connect to, each of them checked: one forbidden address among them refuses the name, because whoever
 * answers for it can have any of them chosen. Rejects with ForbiddenUrlError, or with what the resolver says.
 */
export async function resolveChecked(
  checked: CheckedUrl,
  allowList: AllowList,
  resolve: ResolveHost,
): Promise<HostAddress[]> {
  const { host, isAddress, mustBeAllowed } = checked;
  if (isAddress) return [{ address: host, family: isIPv6(host) ? 6 : 4 }];
  const addresses = await resolve(host);
  if (allowList.allowsHost(host)) return addresses;
  for (const { address } of addresses) {
    if (allowList.allowsAddress(address)) continue;
    checkAddress(address);
    if (mustBeAllowed) {
      throw new ForbiddenUrlError(
        checked.url.protocol === 'http:'
          ? 'http is allowed only for allow-listed hosts; use https'
          : 'its host is a local name',
      );
    }
  }
  return addresses;
}
