import { expect, test } from 'vitest';
import { LiveSessions } from './live-sessions.ts';

const OURS = 'agent:main:a2a:default:direct:peer-1:talk';

test('a session of the channel has tools only while a turn that may use them runs', () => {
  const sessions = new LiveSessions();
  const blocked = { block: true, blockReason: expect.stringContaining('without them') };
  expect(sessions.judge({ sessionKey: OURS })).toEqual(blocked);
  const leave = sessions.enter(OURS.toUpperCase(), true);
  const leaveSecond = sessions.enter(OURS, true);
  expect(sessions.judge({ sessionKey: OURS })).toBeUndefined();
  leave();
  expect(sessions.judge({ sessionKey: OURS })).toBeUndefined();
  leaveSecond();
  expect(sessions.judge({ sessionKey: OURS })).toEqual(blocked);
});

test('a turn without tools gives its session none', () => {
  const sessions = new LiveSessions();
  const leave = sessions.enter(OURS, false);
  expect(sessions.judge({ sessionKey: OURS })).toMatchObject({ block: true });
  leave();
});

test.each([{ sessionKey: 'agent:main:main' }, { sessionKey: 'agent:main:slack:default:direct:a2a' }, {}])(
  'leaves other sessions alone: %o',
  (context) => {
    expect(new LiveSessions().judge(context)).toBeUndefined();
  },
);
