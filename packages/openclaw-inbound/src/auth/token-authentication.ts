import { A2AError } from '@holdword/protocol';
import { bearerToken, jwtAuthentication, type Authentication, type Log } from '@holdword/runtime';
import type { AuthConfig, JwtConfig } from '../config/account-config.ts';
import { peerCaller } from './peer-caller.ts';

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Knows peers by the subject of signed tokens. Bearer tokens that are no such token are left to other ways. */
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
      // What the token says of itself, such as how long it is good, goes for the peer.
      if (name !== undefined) return { ...caller, ...peerCaller(peers, name) };
      throw new A2AError(
        'PERMISSION_DENIED',
        'The token is valid, but its subject is no peer of this agent. Ask the operator of this agent to add it.',
      );
    },
  };
}
