import { expect, test } from 'vitest';
import { openClawDeadline, openClawSettings } from './openclaw-options.ts';

test('has defaults, and leaves the session to the context and the thinking level to OpenClaw', () => {
  const settings = openClawSettings({});
  expect(settings).toEqual({
    maxFileBytes: 8_388_608,
    timeout: 300,
    openclawPath: 'openclaw',
    maxOutputBytes: 16_777_216,
    envVars: {},
    passEnvironment: [],
    asyncMode: true,
  });
  expect(openClawSettings({ sessionId: 'mine', timeout: 5 })).toMatchObject({
    sessionId: 'mine',
    timeout: 5,
  });
});

test.each([
  [1.5, 32],
  [2_592_000, 2_592_030],
  [Infinity, 0],
  [Number.MAX_VALUE, 0],
])('OpenClaw gets a later deadline than ours: %d s is %d', (timeout, deadline) => {
  expect(openClawDeadline(timeout)).toBe(deadline);
});
