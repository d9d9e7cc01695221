import type { JsonObject } from '@holdword/protocol';
import type { KeyedRequest, Ledger } from '../ledger.ts';
import type { Client } from '../wire/client.ts';
import { inParallel } from './in-parallel.ts';

/** Repeats the request of every key: each must return the same task as before. */
export async function verifyKeys(
  client: Client,
  ledger: Ledger,
  keys: Iterable<[string, KeyedRequest]>,
): Promise<void> {
  await inParallel(keys, 4, async ([key, { taskId, request }]) => {
    const found = await taskOf(client, { ...request, configuration: { returnImmediately: true } }, key);
    if (found !== taskId) ledger.violations.push(`the key ${key} returned task ${taskId} and now ${found}`);
  });
}

async function taskOf(client: Client, request: JsonObject, key: string): Promise<string> {
  try {
    return (JSON.parse(await client.send(request, key)) as { id: string }).id;
  } catch (error) {
    return `no task: ${String(error)}`;
  }
}
