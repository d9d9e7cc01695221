import type { Authentication } from './authentication.ts';

/**
 * Combines several authentication methods: the first that finds a credential of its kind decides.
 *
 * @example
 * ```ts
 * const authentication = anyOf([apiKeyAuthentication(store), await jwtAuthentication(options)]);
 * ```
 */
export function anyOf(ways: readonly Authentication[]): Authentication {
  return {
    async authenticate(headers) {
      for (const way of ways) {
        const caller = await way.authenticate(headers);
        if (caller !== undefined) return caller;
      }
      return undefined;
    },
    securitySchemes: Object.assign({}, ...ways.map((way) => way.securitySchemes)),
    challenge: [...new Set(ways.map((way) => way.challenge))].join(', '),
  };
}
