import { expect, test } from 'vitest';
import { openClawSettings } from './openclaw-options.ts';

test('has defaults for everything, and a new session each time', () => {
  const settings = openClawSettings({});
  expect(settings).toMatchObject({
    thinking: 'low',
    timeout: 300,
    openclawPath: 'openclaw',
    envVars: {},
    asyncMode: true,
  });
  expect(settings.sessionId).toMatch(/^a2a-[0-9a-f]{12}$/);
  expect(openClawSettings({}).sessionId).not.toBe(settings.sessionId);
  expect(openClawSettings({ sessionId: 'mine', timeout: 5 })).toMatchObject({
    sessionId: 'mine',
    timeout: 5,
  });
});
