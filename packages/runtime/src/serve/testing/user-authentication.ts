import { headerValue, unauthenticated, type Authentication } from '../auth/authentication.ts';

/** Trusts `X-User: NAME`, except `X-User: wrong`. */
export const userAuthentication: Authentication = {
  async authenticate(headers) {
    const user = headerValue(headers, 'x-user');
    if (user === 'wrong') throw unauthenticated('Wrong user.');
    return user === undefined ? undefined : { id: user, authenticated: true };
  },
  securitySchemes: { user: { apiKeySecurityScheme: { location: 'header', name: 'X-User' } } },
  challenge: 'Bearer',
};
