import type { Authentication } from './authentication.ts';

/**
 * Combines several authentication methods: the first that finds a credential of its kind decides.
 *
 * @example
 * ```ts
 * const store = await openSqliteStore({ folder: '.holdword' });
 * const tokens = await jwtAuthentication({
 *   issuer: 'https://id.example.org/',
 *   audience: 'my-agent',
 *   jwks: { url: 'https://id.example.org/.well-known/jwks.json' },
 * });
 * const authentication = anyOf([apiKeyAuthentication(store), tokens]);
 * ```
 */
export function anyOf(methods: readonly Authentication[]): Authentication {
  return {
    async authenticate(headers) {
      for (const method of methods) {
        const caller = await method.authenticate(headers);
        if (caller !== undefined) return caller;
      }
      return undefined;
    },
    securitySchemes: Object.assign({}, ...methods.map((method) => method.securitySchemes)),
    challenge: [...new Set(methods.map((method) => method.challenge))].join(', '),
  };
}
