import { isIP } from 'node:net';
import { bareHost } from './addresses.ts';
import type { AllowList } from './allow-list.ts';
import { type CheckedUrl, ForbiddenUrlError, isPublicAddress } from './forbidden-urls.ts';
import type { HostAddress } from './resolve-host.ts';

/** A name with many addresses is not a reason to grow. */
const MAX_ADDRESSES = 256;

/**
 * The origins that an operator has typed, and the addresses where those with a name have answered.
 *
 * Responsible for what else follows from such an origin: who owns a name chooses its addresses anew for every connection, and
 * with them which machines of the operator's network are called. Another origin with the same name may therefore lead to a
 * private address only where the typed one has answered, and a typed name that has answered on the public internet stays there.
 */
export class TrustedOrigins {
  readonly #origins: ReadonlySet<string>;
  /** By host name. */
  readonly #reached = new Map<string, Set<string>>();

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** A URL below a trusted origin. */
  match(text: string): CheckedUrl | undefined {
    if (!URL.canParse(text)) return undefined;
    const url = new URL(text);
    if (!this.#origins.has(url.origin)) return undefined;
    const host = bareHost(url.hostname);
    return { url, host, isAddress: isIP(host) !== 0, mustBeAllowed: false, isTyped: true };
  }

  /** Notes the address where a trusted origin has answered. */
  note({ host, isAddress }: CheckedUrl, address: string): void {
    if (isAddress) return;
    const addresses = this.#reached.get(host) ?? new Set();
    if (addresses.size < MAX_ADDRESSES) addresses.add(address);
    this.#reached.set(host, addresses);
  }

  /** Throws ForbiddenUrlError if a trusted name has moved from the public internet to a private network. */
  checkMove({ host }: CheckedUrl, addresses: readonly HostAddress[], allowList: AllowList): void {
    const reached = this.#reached.get(host);
    if (reached === undefined || ![...reached].every(isPublicAddress) || allowList.allowsHost(host)) return;
    const isMoved = addresses.some(
      ({ address }) => !isPublicAddress(address) && !allowList.allowsAddress(address),
    );
    if (isMoved) {
      throw new ForbiddenUrlError(
        'its host name was on the public internet before and now leads to a private address; if that is intended, allow the address',
        { canBeAllowed: true },
      );
    }
  }

  /** The allow list for a URL that is not trusted itself: for the name of a trusted origin, the addresses where that answered. */
  allowListFor(text: string, allowList: AllowList): AllowList {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const host = bareHost(url?.hostname ?? '');
    const reached = this.#reached.get(host);
    if (url === undefined || reached === undefined || !this.#mayBePlain(url)) return allowList;
    return {
      hasAddresses: true,
      allowsHost: (name) => allowList.allowsHost(name),
      allowsAddress: (address) => reached.has(address) || allowList.allowsAddress(address),
    };
  }

  /** Plain HTTP only to a host that the operator has typed without TLS. */
  #mayBePlain({ protocol, hostname }: URL): boolean {
    if (protocol !== 'http:') return true;
    return [...this.#origins].some((origin) => {
      const trusted = new URL(origin);
      return trusted.protocol === 'http:' && trusted.hostname === hostname;
    });
  }
}
