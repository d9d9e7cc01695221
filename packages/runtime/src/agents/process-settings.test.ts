import { expect, test } from 'vitest';
import { processSettings } from './process-settings.ts';

test('says nothing where nothing is said, so that defaults hold', () => {
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

test('each context may have a folder of its own', () => {
  expect(processSettings({ workingDirectory: '/srv', directoryPerContext: true })).toMatchObject({
    workingDirectory: { perContextIn: '/srv' },
  });
});
