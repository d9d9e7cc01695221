import { SESSION_ROUTES } from '@holdword/protocol/internal';
import { expect, test } from 'vitest';
import { enterRoute } from './session-routes.ts';

function routeOf(sessionKey: string): unknown {
  const routes: unknown = Reflect.get(globalThis, SESSION_ROUTES);
  return routes instanceof Map ? routes.get(sessionKey) : undefined;
}

test('a session has a route while it is answering', () => {
  const route = { hops: 1, origins: ['a'] };
  const leave = enterRoute('agent:Main:a2a:one', route);
  expect(routeOf('agent:main:a2a:one')).toBe(route);
  leave();
  expect(routeOf('agent:main:a2a:one')).toBeUndefined();
});

test('a message without a route publishes none', () => {
  enterRoute('agent:main:a2a:two', undefined)();
  expect(routeOf('agent:main:a2a:two')).toBeUndefined();
});

test('the end of an earlier message does not remove the route of a later one', () => {
  const later = { hops: 2 };
  const leave = enterRoute('agent:main:a2a:three', { hops: 1 });
  const leaveLater = enterRoute('agent:main:a2a:three', later);
  leave();
  expect(routeOf('agent:main:a2a:three')).toBe(later);
  leaveLater();
});
