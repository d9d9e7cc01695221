import { ROUTE_KEY, SESSION_ROUTES } from '@holdword/protocol/internal';
import { readRoute, type Route } from './route.ts';

/** The route of the message that a session is answering, as published by the channel plugin that received it. */
export function sessionRoute(sessionKey: string | undefined): Route {
  const shared: unknown = Reflect.get(globalThis, SESSION_ROUTES);
  const found: unknown =
    sessionKey !== undefined && shared instanceof Map ? shared.get(sessionKey.toLowerCase()) : undefined;
  return readRoute({ [ROUTE_KEY]: found });
}
