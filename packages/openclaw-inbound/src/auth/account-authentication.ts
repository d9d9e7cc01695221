import {
  anyOf,
  headerValue,
  noAuthentication,
  unauthenticated,
  type Authentication,
  type Log,
} from '@holdword/runtime';
import { noopLog } from '@holdword/runtime/internal';
import { REQUEST_ORIGIN, type AccountConfig, type CallerLimits } from '../config/account-config.ts';
import { keyAuthentication } from './key-authentication.ts';
import { tokenAuthentication } from './token-authentication.ts';

/** How an account knows its callers. A credential that is there and wrong is refused, whoever may come without one. */
export async function accountAuthentication(
  { auth, publicBaseUrl }: Pick<AccountConfig, 'auth' | 'publicBaseUrl'>,
  log: Log = noopLog,
): Promise<Authentication> {
  const { peers, jwt, required, anonymous } = auth;
  const ways: Authentication[] = [];
  // Tokens first: a key may look like anything, and would be refused there.
  if (jwt !== undefined) ways.push(await tokenAuthentication(jwt, peers, log));
  if (Object.keys(peers).length > 0) ways.push(keyAuthentication(peers));
  if (required) return anyOf(ways);
  if (ways.length > 0) ways.push(noOtherCredential);
  ways.push(anonymousAuthentication(publicHosts(publicBaseUrl), anonymous));
  return { ...anyOf(ways), isOptional: true };
}

function publicHosts(url: string | undefined): string[] {
  return url === undefined || url === REQUEST_ORIGIN ? [] : [new URL(url).hostname];
}

/** Whoever sends a credential means to be known by it, and is not taken for a caller without one. */
const noOtherCredential: Authentication = {
  async authenticate(headers) {
    if (headerValue(headers, 'authorization') === undefined) return undefined;
    throw unauthenticated(
      'Expected the header Authorization: Bearer KEY or none, found another scheme. Send the key of a peer of this agent.',
    );
  },
  securitySchemes: {},
  challenge: 'Bearer',
};

/** Everybody without a credential is the same caller, under the names by which the gateway is meant to be reached. */
function anonymousAuthentication(
  allowedHosts: readonly string[],
  { requestsPerMinute }: CallerLimits,
): Authentication {
  const anybody = noAuthentication({ allowedHosts });
  return {
    ...anybody,
    async authenticate(headers) {
      const caller = await anybody.authenticate(headers);
      return caller && { ...caller, requestsPerMinute };
    },
  };
}
