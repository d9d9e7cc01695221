import { readFile } from 'node:fs/promises';
import type { HubSettings } from '@holdword/hub';
import type { Config } from '../config/config-schema.ts';
import { CommandError } from '../usage-error.ts';
import { withoutUndefined } from './without-undefined.ts';

/** How the hub treats agents, as the configuration says. */
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
    throw new CommandError(`The token for alarms cannot be read from ${file}: ${String(error)}.`, {
      cause: error,
    });
  }
}
