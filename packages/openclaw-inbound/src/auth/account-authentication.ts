import { createHash } from 'node:crypto';
import { A2AError } from '@holdword/protocol';
import {
  anyOf,
  type Authentication,
  bearerToken,
  type Caller,
  headerValue,
  jwtAuthentication,
  type Log,
  noAuthentication,
  type RequestHeaders,
  unauthenticated,
} from '@holdword/runtime';
import { noopLog } from '@holdword/runtime/internal';
import {
  type AccountConfig,
  type AuthConfig,
  type CallerLimits,
  type JwtConfig,
  REQUEST_ORIGIN,
} from '../config/account-config.ts';
import { callerIdOf } from './caller.ts';

/** How an account authenticates callers. An invalid credential is rejected even if anonymous callers are allowed. */
export async function accountAuthentication(
  { auth, publicBaseUrl }: Pick<AccountConfig, 'auth' | 'publicBaseUrl'>,
  log: Log = noopLog,
): Promise<Authentication> {
  const { peers, jwt, required, anonymous } = auth;
  const methods: Authentication[] = [];
  // JWTs first: a key can have any form, so key authentication would reject them.
  if (jwt !== undefined) methods.push(await tokenAuthentication(jwt, peers, log));
  if (Object.keys(peers).length > 0) methods.push(keyAuthentication(peers));
  if (required) return anyOf(methods);
  methods.push(noOtherCredential(Object.keys(peers).length > 0));
  methods.push(anonymousAuthentication(publicHosts(publicBaseUrl), anonymous));
  return { ...anyOf(methods), isOptional: true };
}

function publicHosts(url: string | undefined): string[] {
  return url === undefined || url === REQUEST_ORIGIN ? [] : [new URL(url).hostname];
}

/**
 * A caller that sends a credential which nothing has accepted is rejected instead of being treated as anonymous: it believes to be
 * somebody else.
 */
function noOtherCredential(hasPeers: boolean): Authentication {
  const advice = hasPeers
    ? 'Unsupported authorization scheme. Send a peer key as "Authorization: Bearer KEY", or no Authorization header.'
    : 'This agent knows no credentials. Send none, or ask its operator for a key.';
  return {
    async authenticate(headers) {
      const isAnonymous = ['authorization', 'x-api-key'].every(
        (name) => headerValue(headers, name) === undefined,
      );
      if (isAnonymous) return undefined;
      throw unauthenticated(advice);
    },
    securitySchemes: {},
    challenge: 'Bearer',
  };
}

/** All callers without credentials are one caller, and must use a host name of the gateway. */
function anonymousAuthentication(
  allowedHosts: readonly string[],
  { requestsPerMinute }: CallerLimits,
): Authentication {
  const anonymous = noAuthentication({ allowedHosts });
  return {
    ...anonymous,
    async authenticate(headers) {
      const caller = await anonymous.authenticate(headers);
      return caller && { ...caller, requestsPerMinute };
    },
  };
}

/**
 * Authenticates peers by keys sent as `Authorization: Bearer KEY` or `X-API-Key: KEY`. The configuration contains only
 * digests. Looking up a digest does not leak timing information about the key.
 */
function keyAuthentication(peers: AuthConfig['peers']): Authentication {
  const nameOf = new Map(
    Object.entries(peers).flatMap(([name, { keyDigests }]) =>
      keyDigests.map((digest): [string, string] => [digest, name]),
    ),
  );
  return {
    async authenticate(headers) {
      const key = keyIn(headers);
      if (key === undefined) return undefined;
      const name = nameOf.get(createHash('sha256').update(key).digest('hex'));
      if (name !== undefined) return peerCaller(peers, name);
      throw unauthenticated('Unknown key. Check it, or ask the operator of this agent for a new one.');
    },
    securitySchemes: {
      peerKey: {
        httpAuthSecurityScheme: { description: 'The key of a peer as a bearer token.', scheme: 'Bearer' },
      },
    },
    challenge: 'Bearer',
  };
}

function keyIn(headers: RequestHeaders): string | undefined {
  return bearerToken(headers) ?? headerValue(headers, 'x-api-key');
}

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Authenticates peers by the subject of their JWTs. Other bearer tokens are left to the other methods. */
async function tokenAuthentication(
  jwt: JwtConfig,
  peers: AuthConfig['peers'],
  log: Log,
): Promise<Authentication> {
  const tokens = await jwtAuthentication({ ...jwt, log });
  const nameOf = new Map(
    Object.entries(peers).flatMap(([name, { subject }]): [string, string][] =>
      subject === undefined ? [] : [[`jwt:${subject}`, name]],
    ),
  );
  return {
    ...tokens,
    async authenticate(headers) {
      if (!TOKEN.test(bearerToken(headers) ?? '')) return undefined;
      const caller = await tokens.authenticate(headers);
      if (caller === undefined) return undefined;
      const name = nameOf.get(caller.id);
      // Properties of the token, such as its expiry, apply to the peer.
      if (name !== undefined) return { ...caller, ...peerCaller(peers, name) };
      throw new A2AError(
        'PERMISSION_DENIED',
        'The token is valid, but its subject is not a peer of this agent. Ask the operator of this agent to add it.',
      );
    },
  };
}

/** A peer as the HTTP server identifies it. */
function peerCaller(peers: AuthConfig['peers'], name: string): Caller {
  const requestsPerMinute = peers[name]?.requestsPerMinute;
  return {
    id: callerIdOf(name),
    authenticated: true,
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
  };
}
