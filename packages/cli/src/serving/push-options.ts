import type { PushOptions } from '@holdword/runtime';
import type { Config } from '../config/config-schema.ts';
import { readSigningKey } from './read-signing-key.ts';

/** The options of push notifications from the configuration; false if they are disabled. */
export async function pushOptions({ push = {} }: Config): Promise<PushOptions | false> {
  if (push.enabled === false) return false;
  const { allowPrivate, concurrency, timeoutSeconds, longestPauseSeconds, deadLetterHours, signingKeyFile } =
    push;
  return {
    ...(allowPrivate !== undefined && { allowPrivate }),
    ...(concurrency !== undefined && { concurrency }),
    ...(timeoutSeconds !== undefined && { timeoutMilliseconds: timeoutSeconds * 1000 }),
    ...(longestPauseSeconds !== undefined && { longestPauseMilliseconds: longestPauseSeconds * 1000 }),
    ...(deadLetterHours !== undefined && { deadLetterMilliseconds: deadLetterHours * 3_600_000 }),
    ...(signingKeyFile !== undefined && { signingKey: (await readSigningKey(signingKeyFile)).key }),
  };
}
