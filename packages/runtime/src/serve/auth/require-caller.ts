import { unauthenticated, type Authentication, type Caller, type RequestHeaders } from './authentication.ts';

/** The caller, or UNAUTHENTICATED when no credential was sent. */
export async function requireCaller(
  authentication: Authentication,
  headers: RequestHeaders,
): Promise<Caller> {
  const caller = await authentication.authenticate(headers);
  if (caller === undefined) {
    throw unauthenticated(
      `Expected a credential, found none. Send one of: ${Object.keys(authentication.securitySchemes).join(', ')} ` +
        '(the agent card describes them under securitySchemes).',
    );
  }
  return caller;
}
