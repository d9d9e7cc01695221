import type { PushOptions } from '@parley/runtime';
import type { Config } from '../config/config-schema.ts';
import { readSigningKey } from './read-signing-key.ts';

/** How clients are notified, as the configuration says; false when they are not. */
export async function pushOptions({ push = {} }: Config): Promise<PushOptions | false> {
  const { enabled = true, allowPrivate, concurrency, timeoutSeconds, deadLetterHours, signingKeyFile } = push;
  if (!enabled) return false;
  return {
    ...(allowPrivate !== undefined && { allowPrivate }),
    ...(concurrency !== undefined && { concurrency }),
    ...(timeoutSeconds !== undefined && { timeoutMilliseconds: timeoutSeconds * 1000 }),
    ...(deadLetterHours !== undefined && { deadLetterMilliseconds: deadLetterHours * 3_600_000 }),
    ...(signingKeyFile !== undefined && { signingKey: (await readSigningKey(signingKeyFile)).key }),
  };
}
