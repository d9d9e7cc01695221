import { readRoute, ROUTE_KEY, type Route } from './route.ts';

/**
 * A channel plugin of the same process that gets messages from other agents knows on which way they came, and keeps it
 * here by the session in which the model answers. Plugins are loaded apart from each other, so what they share is found by
 * a name of the process.
 */
const SHARED = Symbol.for('parley.a2a.session-routes');

/** The way on which the message came that this session is answering. */
export function sessionRoute(sessionKey: string | undefined): Route {
  const shared: unknown = Reflect.get(globalThis, SHARED);
  const found: unknown =
    sessionKey !== undefined && shared instanceof Map ? shared.get(sessionKey) : undefined;
  return readRoute({ [ROUTE_KEY]: found });
}
