import { expect, test } from 'vitest';
import { processSettings } from './process-settings.ts';

test('settings that are not given are left out, so that defaults apply', () => {
  expect(processSettings({})).toEqual({ environment: { names: [], values: {} } });
});

test('seconds become milliseconds, and variables the environment', () => {
  expect(
    processSettings({
      timeout: 1.5,
      maxOutputBytes: 2_048,
      envVars: { A: 'b' },
      passEnvironment: ['MY_*'],
      workingDirectory: '/srv',
    }),
  ).toEqual({
    timeoutMilliseconds: 1_500,
    maxOutputBytes: 2_048,
    environment: { names: ['MY_*'], values: { A: 'b' } },
    workingDirectory: { fixed: '/srv' },
  });
});

test('each context can have its own folder', () => {
  expect(processSettings({ workingDirectory: '/srv', directoryPerContext: true })).toMatchObject({
    workingDirectory: { perContextIn: '/srv' },
  });
});
