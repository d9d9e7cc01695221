import { SESSION_ROUTES } from '@holdword/protocol/internal';

/**
 * Publishes the route of the message that a session is answering, for plugins of this process that call other agents; the
 * returned function removes it. The route is untrusted input: readers must validate it.
 */
export function enterRoute(sessionKey: string, route: unknown): () => void {
  if (route === undefined) return () => {};
  const routes = routesOfProcess();
  const key = sessionKey.toLowerCase();
  routes.set(key, route);
  return () => {
    if (routes.get(key) === route) routes.delete(key);
  };
}

function routesOfProcess(): Map<unknown, unknown> {
  const known: unknown = Reflect.get(globalThis, SESSION_ROUTES);
  if (known instanceof Map) return known;
  const routes = new Map<unknown, unknown>();
  Reflect.set(globalThis, SESSION_ROUTES, routes);
  return routes;
}
