import { createHash } from 'node:crypto';
import {
  bearerToken,
  headerValue,
  unauthenticated,
  type Authentication,
  type RequestHeaders,
} from '@holdword/runtime';
import type { AuthConfig } from '../config/account-config.ts';
import { peerCaller } from './peer-caller.ts';

/**
 * Authenticates peers by keys sent as `Authorization: Bearer KEY` or `X-API-Key: KEY`. The configuration contains only
 * digests. Looking up a digest does not leak timing information about the key.
 */
export function keyAuthentication(peers: AuthConfig['peers']): Authentication {
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
