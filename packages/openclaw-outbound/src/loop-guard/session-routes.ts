import { ROUTE_KEY, SESSION_ROUTES } from '@holdword/protocol';
import { readRoute, type Route } from './route.ts';

/** The way on which the message came that this session is answering: told by the channel plugin that took it. */
export function sessionRoute(sessionKey: string | undefined): Route {
  const shared: unknown = Reflect.get(globalThis, SESSION_ROUTES);
  const found: unknown =
    sessionKey !== undefined && shared instanceof Map ? shared.get(sessionKey.toLowerCase()) : undefined;
  return readRoute({ [ROUTE_KEY]: found });
}
