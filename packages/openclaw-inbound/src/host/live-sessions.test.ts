import { SESSION_ROUTES } from '@holdword/protocol/internal';
import { describe, expect, test } from 'vitest';
import { enterRoute, LiveSessions, type LiveTurn, type PendingToolCall } from './live-sessions.ts';

const OURS = 'agent:main:a2a:default:direct:peer-1:talk';
const CALL: PendingToolCall = { toolName: 'exec', toolCallId: 'call-1' };
const BLOCKED = { block: true, blockReason: expect.stringContaining('without tools') };

function turnWith(mayUseTools: boolean): LiveTurn & { readonly calls: PendingToolCall[] } {
  const calls: PendingToolCall[] = [];
  return { calls, mayUseTools, onToolCall: async (call) => void calls.push(call) };
}

describe('a tool call', () => {
  test('of the channel runs only during a turn that may use tools, and after it was recorded', async () => {
    const sessions = new LiveSessions();
    const check = () => sessions.checkToolCall(CALL, { sessionKey: OURS });
    expect(await check()).toEqual(BLOCKED);
    const turn = turnWith(true);
    const leave = sessions.enter(OURS.toUpperCase(), turn);
    expect(await check()).toBeUndefined();
    expect(turn.calls).toEqual([CALL]);
    leave();
    expect(await check()).toEqual(BLOCKED);
  });

  test('does not run if it cannot be recorded', async () => {
    const sessions = new LiveSessions();
    sessions.enter(OURS, { mayUseTools: true, onToolCall: () => Promise.reject(new Error('disk full')) });
    await expect(sessions.checkToolCall(CALL, { sessionKey: OURS })).rejects.toThrow('disk full');
  });

  test('is blocked in a turn without tools', async () => {
    const sessions = new LiveSessions();
    const turn = turnWith(false);
    sessions.enter(OURS, turn);
    expect(await sessions.checkToolCall(CALL, { sessionKey: OURS })).toEqual(BLOCKED);
    expect(turn.calls).toEqual([]);
  });

  test('is not affected by the end of an earlier turn', async () => {
    const sessions = new LiveSessions();
    const leave = sessions.enter(OURS, turnWith(true));
    sessions.enter(OURS, turnWith(true));
    leave();
    expect(await sessions.checkToolCall(CALL, { sessionKey: OURS })).toBeUndefined();
  });

  test.each([{ sessionKey: 'agent:main:main' }, { sessionKey: 'agent:main:slack:default:direct:a2a' }, {}])(
    'of other sessions is not checked: %o',
    async (context) => {
      expect(await new LiveSessions().checkToolCall(CALL, context)).toBeUndefined();
    },
  );
});

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
