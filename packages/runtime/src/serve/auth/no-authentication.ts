import { isLoopback } from '@holdword/net/internal';
import { A2AError } from '@holdword/protocol';
import type { Authentication, Caller, RequestHeaders } from './authentication.ts';

const ANONYMOUS: Caller = { id: 'anonymous', authenticated: false };

/**
 * Everybody who reaches this machine's loopback interface is the same anonymous caller.
 *
 * A web page in a local browser reaches it too, through a name that its owner points at 127.0.0.1; such a request
 * carries that name in `Host`, so only loopback names and `allowedHosts` are accepted there.
 */
export function noAuthentication(options: { allowedHosts?: readonly string[] } = {}): Authentication {
  const allowedHosts = new Set(options.allowedHosts);
  // Callers use the same name again and again.
  let lastAllowed: string | undefined;
  const isAllowed = (host: RequestHeaders['host']): boolean => {
    if (host === undefined || host === lastAllowed) return true;
    if (typeof host !== 'string' || !hostIsAllowed(host, allowedHosts)) return false;
    lastAllowed = host;
    return true;
  };
  return {
    authenticate(headers) {
      return isAllowed(headers['host'])
        ? Promise.resolve(ANONYMOUS)
        : Promise.reject(
            new A2AError(
              'PERMISSION_DENIED',
              `Expected a request for localhost, found one for the host "${String(headers['host'])}". ` +
                'Without authentication this agent answers to local names only: use 127.0.0.1 or localhost, ' +
                'or set its public URL.',
            ),
          );
    },
    securitySchemes: {},
    challenge: 'Bearer',
  };
}

function hostIsAllowed(host: string, allowedHosts: ReadonlySet<string>): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return isLoopback(name) || allowedHosts.has(name);
}
