import { expect, test } from 'vitest';
import { LiveSessions } from './live-sessions.ts';

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
