import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hubSettings } from './hub-settings.ts';

test('settings that are not given are left out, so that defaults apply', async () => {
  expect(await hubSettings({})).toEqual({});
  const hubOptions = { idleSeconds: 60, publicStatus: false, bodyBytes: undefined };
  expect(await hubSettings({ hubOptions })).toEqual({ idleSeconds: 60, publicStatus: false });
});

test('the token for alarms is read from its file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-hub-settings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tokenFile = join(folder, 'token');
  const alarms = { url: 'https://alarms.example', tokenFile };
  await expect(hubSettings({ hubOptions: { alarms } })).rejects.toThrow(
    /Cannot read the token file .*token \(hubOptions\.alarms\.tokenFile\): it does not exist\./,
  );
  await writeFile(tokenFile, 'secret\n');
  expect(await hubSettings({ hubOptions: { alarms } })).toEqual({
    alarms: { url: 'https://alarms.example', token: 'secret' },
  });
});
