import { lookup } from 'node:dns/promises';
import { isLoopback } from '@holdword/net/internal';
import { A2AError } from '@holdword/protocol';
import type { Authentication, Caller, RequestHeaders } from './authentication.ts';

const ANONYMOUS: Caller = { id: 'anonymous', authenticated: false };

/**
 * Treats everyone who reaches this machine's loopback interface as the same anonymous caller.
 *
 * A web page in a local browser can reach it as well, through a domain name that resolves to 127.0.0.1 (DNS rebinding).
 * Such a request has that name in its `Host` header, so only loopback names and `allowedHosts` are accepted there.
 *
 * @example
 * ```ts
 * const authentication = noAuthentication({ allowedHosts: ['agent.internal'] });
 * ```
 */
export function noAuthentication(options: { allowedHosts?: readonly string[] } = {}): Authentication {
  const allowedHosts = new Set(options.allowedHosts);
  // Callers use the same name repeatedly.
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
              `Host "${String(headers['host'])}" is not allowed. ` +
                'Without authentication, this agent accepts only local host names: use 127.0.0.1 or localhost, ' +
                'or configure its public URL.',
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

/**
 * Refuses to expose an agent to a network without authentication. `advice` completes the sentence that says what to do.
 * A host that does not exist is reported as such: adding authentication would not help.
 */
export async function assertSafeBind(
  host: string,
  authentication: Authentication,
  advice = 'serve it with authentication.',
): Promise<void> {
  if (isLoopback(host) || Object.keys(authentication.securitySchemes).length > 0) return;
  await lookup(host).catch((error: unknown) => {
    throw new Error(`Cannot listen on ${host}: the host name cannot be resolved. Choose a different host.`, {
      cause: error,
    });
  });
  throw new Error(
    `Refusing to listen on ${host} without authentication: everyone on that network could use this agent. ` +
      `Listen on 127.0.0.1, or ${advice}`,
  );
}
