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
  if (methods.length > 0) methods.push(noOtherCredential);
  methods.push(anonymousAuthentication(publicHosts(publicBaseUrl), anonymous));
  return { ...anyOf(methods), isOptional: true };
}

function publicHosts(url: string | undefined): string[] {
  return url === undefined || url === REQUEST_ORIGIN ? [] : [new URL(url).hostname];
}

/** A caller that sends an unsupported credential is rejected instead of being treated as anonymous. */
const noOtherCredential: Authentication = {
  async authenticate(headers) {
    if (headerValue(headers, 'authorization') === undefined) return undefined;
    throw unauthenticated(
      'Unsupported authorization scheme. Send a peer key as "Authorization: Bearer KEY", or no Authorization header.',
    );
  },
  securitySchemes: {},
  challenge: 'Bearer',
};

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
