import {
  headerValue,
  unauthenticated,
  type Authentication,
  type Caller,
  type RequestHeaders,
} from './authentication.ts';

/**
 * The caller.
 * @throws A2AError UNAUTHENTICATED if no authentication method recognizes a credential in the request
 */
export async function requireCaller(
  authentication: Authentication,
  headers: RequestHeaders,
): Promise<Caller> {
  const caller = await authentication.authenticate(headers);
  if (caller === undefined) {
    throw unauthenticated(
      `Authentication required: found ${describeCredential(headers)}. ` +
        `Send one of: ${Object.keys(authentication.securitySchemes).join(', ')} ` +
        '(the agent card describes them under securitySchemes).',
    );
  }
  return caller;
}

/** Schemes that may be repeated: any other first word of the header may be the secret itself. */
const SCHEME = /^(basic|bearer|digest|dpop|negotiate)(?= |$)/i;

/** What was sent instead of a credential, without any of its secret. */
function describeCredential(headers: RequestHeaders): string {
  const authorization = headerValue(headers, 'authorization');
  if (authorization !== undefined) {
    const scheme = SCHEME.exec(authorization)?.[1];
    return scheme === undefined
      ? 'an Authorization header with another scheme'
      : `an Authorization header (${scheme}) that this agent does not recognize`;
  }
  return headerValue(headers, 'x-api-key') === undefined
    ? 'none'
    : 'an X-API-Key header that this agent does not recognize';
}
