import { SESSION_ROUTES } from '@holdword/protocol/internal';
import { expect, test } from 'vitest';
import { enterRoute, LiveSessions } from './live-sessions.ts';

const OURS = 'agent:main:a2a:default:direct:peer-1:talk';

test('a session of the channel has tools only during a turn that may use them', () => {
  const sessions = new LiveSessions();
  const blocked = { block: true, blockReason: expect.stringContaining('without tools') };
  expect(sessions.checkToolCall({ sessionKey: OURS })).toEqual(blocked);
  const leave = sessions.enter(OURS.toUpperCase(), true);
  const leaveSecond = sessions.enter(OURS, true);
  expect(sessions.checkToolCall({ sessionKey: OURS })).toBeUndefined();
  leave();
  expect(sessions.checkToolCall({ sessionKey: OURS })).toBeUndefined();
  leaveSecond();
  expect(sessions.checkToolCall({ sessionKey: OURS })).toEqual(blocked);
});

test('a turn without tools does not enable tools', () => {
  const sessions = new LiveSessions();
  const leave = sessions.enter(OURS, false);
  expect(sessions.checkToolCall({ sessionKey: OURS })).toMatchObject({ block: true });
  leave();
});

test.each([{ sessionKey: 'agent:main:main' }, { sessionKey: 'agent:main:slack:default:direct:a2a' }, {}])(
  'does not affect other sessions: %o',
  (context) => {
    expect(new LiveSessions().checkToolCall(context)).toBeUndefined();
  },
);

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
