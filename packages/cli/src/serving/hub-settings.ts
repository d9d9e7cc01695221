import { readFile } from 'node:fs/promises';
import type { HubSettings } from '@holdword/hub';
import type { Config } from '../config/config-schema.ts';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { CommandError } from '../usage-error.ts';
import { withoutUndefined } from './without-undefined.ts';

/** The settings of the hub from the configuration. */
export async function hubSettings({ hubOptions = {} }: Config): Promise<Partial<HubSettings>> {
  const { alarms, ...settings } = hubOptions;
  if (alarms === undefined) return withoutUndefined(settings);
  const { url, tokenFile } = alarms;
  const token = tokenFile === undefined ? {} : { token: await readToken(tokenFile) };
  return { ...withoutUndefined(settings), alarms: { url, ...token } };
}

async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw new CommandError(
      `Cannot read the token file ${file} (hubOptions.alarms.tokenFile): ${whyUnreadable(error)}.`,
      {
        cause: error,
      },
    );
  }
}
