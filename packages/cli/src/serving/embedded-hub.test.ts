import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_HUB_SETTINGS } from '@holdword/hub';
import { testConfig } from '../testing/test-config.ts';
import { hubSettings } from './embedded-hub.ts';

test('settings that are not given have the defaults of the hub, which decides about registration', async () => {
  const { openRegistration: _decided, ...defaults } = DEFAULT_HUB_SETTINGS;
  expect(await hubSettings(testConfig())).toEqual(defaults);
  const hubOptions = { idleSeconds: 60, publicStatus: false, openRegistration: false };
  expect(await hubSettings(testConfig({ hubOptions }))).toEqual({ ...defaults, ...hubOptions });
});

test('the token for alarms is read from its file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-hub-settings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tokenFile = join(folder, 'token');
  const alarms = { url: 'https://alarms.example', tokenFile };
  await expect(hubSettings(testConfig({ hubOptions: { alarms } }))).rejects.toThrow(
    /Cannot read the token file .*token \(hubOptions\.alarms\.tokenFile\): it does not exist\./,
  );
  await writeFile(tokenFile, 'secret\n');
  expect(await hubSettings(testConfig({ hubOptions: { alarms } }))).toMatchObject({
    alarms: { url: 'https://alarms.example', token: 'secret' },
  });
});
