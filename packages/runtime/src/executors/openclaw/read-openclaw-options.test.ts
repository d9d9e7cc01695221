import { expect, test } from 'vitest';
import { openClawSettings } from './openclaw-options.ts';
import { readOpenClawOptions } from './read-openclaw-options.ts';

test('has defaults for everything, and a session of its own each time', () => {
  const settings = openClawSettings(readOpenClawOptions({}));
  expect(settings).toMatchObject({
    thinking: 'low',
    timeout: 300,
    openclawPath: 'openclaw',
    envVars: {},
    asyncMode: true,
  });
  expect(settings.sessionId).toMatch(/^a2a-[0-9a-f]{12}$/);
  expect(openClawSettings({}).sessionId).not.toBe(settings.sessionId);
});

test('takes both ways to write a name', () => {
  const underscores = readOpenClawOptions({
    session_id: 'my-session',
    agent_id: 'main',
    thinking: 'xhigh',
    timeout: 60,
    openclaw_path: '/opt/openclaw',
    working_directory: '/srv',
    env_vars: { A: 'b' },
    async_mode: false,
  });
  expect(underscores).toEqual({
    sessionId: 'my-session',
    agentId: 'main',
    thinking: 'xhigh',
    timeout: 60,
    openclawPath: '/opt/openclaw',
    workingDirectory: '/srv',
    envVars: { A: 'b' },
    asyncMode: false,
  });
  expect(readOpenClawOptions({ ...underscores })).toEqual(underscores);
  expect(readOpenClawOptions({ agent_id: null, session_id: undefined })).toEqual({});
});

test.each([
  [{ thinking: 'a lot' }, 'thinking must be one of off, minimal, low, medium, high, xhigh'],
  [{ timeout: 0 }, 'timeout must be a number above 0; found 0'],
  [{ session_id: 'My Session' }, 'session_id must be a text like'],
  [{ openclaw_path: '' }, 'openclaw_path must be a text that is not empty'],
  [{ env_vars: { A: 1 } }, 'env_vars must be an object whose values are texts'],
  [{ async_mode: 'yes' }, 'async_mode must be true or false'],
  [{ colour: 'red' }, 'has no option colour. It has: sessionId, agentId,'],
  [{ session_id: 'a', sessionId: 'b' }, 'sessionId is given twice'],
])('refuses %j', (input, message) => {
  expect(() => readOpenClawOptions(input)).toThrow(message);
});
