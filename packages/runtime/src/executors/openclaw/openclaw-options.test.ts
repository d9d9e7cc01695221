import { expect, test } from 'vitest';
import { openClawSettings } from './openclaw-options.ts';

test('has defaults, and leaves the session to the context and the thinking level to OpenClaw', () => {
  const settings = openClawSettings({});
  expect(settings).toEqual({
    maxFileBytes: 8_388_608,
    timeout: 300,
    openclawPath: 'openclaw',
    envVars: {},
    asyncMode: true,
  });
  expect(openClawSettings({ sessionId: 'mine', timeout: 5 })).toMatchObject({
    sessionId: 'mine',
    timeout: 5,
  });
});
