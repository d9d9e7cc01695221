import {
  headerValue,
  unauthenticated,
  type Authentication,
  type Caller,
  type RequestHeaders,
} from './authentication.ts';

/** The caller, or UNAUTHENTICATED when no credential was sent that any way to authenticate takes for its own. */
export async function requireCaller(
  authentication: Authentication,
  headers: RequestHeaders,
): Promise<Caller> {
  const caller = await authentication.authenticate(headers);
  if (caller === undefined) {
    throw unauthenticated(
      `Expected a credential, found ${describeCredential(headers)}. ` +
        `Send one of: ${Object.keys(authentication.securitySchemes).join(', ')} ` +
        '(the agent card describes them under securitySchemes).',
    );
  }
  return caller;
}

/** Schemes that may be repeated: what else stands first in the header may be the secret itself. */
const SCHEME = /^(basic|bearer|digest|dpop|negotiate)(?= |$)/i;

/** What was sent in place of a credential, without any of its secret. */
function describeCredential(headers: RequestHeaders): string {
  const authorization = headerValue(headers, 'authorization');
  if (authorization !== undefined) {
    const scheme = SCHEME.exec(authorization)?.[1];
    return scheme === undefined
      ? 'an Authorization header of another scheme'
      : `an Authorization header of the scheme ${scheme} that is none of this agent's`;
  }
  return headerValue(headers, 'x-api-key') === undefined
    ? 'none'
    : "an X-API-Key header that is none of this agent's";
}
