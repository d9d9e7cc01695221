import { A2AError } from '@holdword/protocol';
import { bearerToken, jwtAuthentication, type Authentication, type Log } from '@holdword/runtime';
import type { AuthConfig, JwtConfig } from '../config/account-config.ts';
import { peerCaller } from './peer-caller.ts';

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Authenticates peers by the subject of their JWTs. Other bearer tokens are left to the other methods. */
export async function tokenAuthentication(
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
