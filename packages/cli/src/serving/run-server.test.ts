import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startCuttingProxy, usePostgres } from '@holdword/store/testing/postgres';
import { expect, onTestFinished, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import type { HoldwordProcess } from '../testing/holdword-process.ts';
import { send, urlOf } from '../testing/talk.ts';

const postgres = usePostgres();

const GRACE_SECONDS = 1;
/** The grace period, five seconds, and some for a machine that is busy. */
const LONGEST_STOP_MILLISECONDS = (GRACE_SECONDS + 5 + 3) * 1_000;

/** A receiver of push notifications that never answers. */
async function startReceiver(): Promise<string> {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server on PostgreSQL with a running turn and a push notification that is being sent. */
async function startBusyServer(databaseUrl: string): Promise<{ holdword: HoldwordProcess; url: string }> {
  const folder = await makeHoldwordFolder({
    HOLDWORD_STORE: databaseUrl,
    HOLDWORD_STORE_SCHEMA: postgres().newSchema(),
  });
  const config = { push: { allowPrivate: ['127.0.0.1'] } };
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify(config));
  const holdword = folder.serve('--grace', String(GRACE_SECONDS));
  const url = await urlOf(holdword);
  await fetch(`${url}/a2a/rest/message:send`, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify({
      message: { role: 'ROLE_USER', messageId: 'm1', parts: [{ text: 'wait 3600' }] },
      configuration: {
        returnImmediately: true,
        taskPushNotificationConfig: { id: 'mine', url: await startReceiver() },
      },
    }),
  });
  return { holdword, url };
}

async function millisecondsToStop(holdword: HoldwordProcess): Promise<number> {
  const startedAt = performance.now();
  expect(await holdword.stop()).toBe(0);
  return performance.now() - startedAt;
}

const OUTAGES = {
  'has refused connections for a moment': { outage: 'cut', seconds: 0 },
  'has refused connections for a while': { outage: 'cut', seconds: 12 },
  'has not responded for a moment': { outage: 'swallowResponses', seconds: 0 },
  'has not responded for a while': { outage: 'swallowResponses', seconds: 12 },
} as const;

test.each(Object.entries(OUTAGES))(
  'a server stops within its grace period and some seconds although PostgreSQL %s',
  { timeout: 60_000 },
  async (_, { outage, seconds }) => {
    const proxy = await startCuttingProxy(postgres().url);
    onTestFinished(() => proxy.close());
    const { holdword, url } = await startBusyServer(proxy.url);
    proxy[outage]();
    const answers = ['echo one', 'echo two'].map((text) => send(url, text).catch(() => undefined));
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    expect(await millisecondsToStop(holdword)).toBeLessThan(LONGEST_STOP_MILLISECONDS);
    await Promise.all(answers);
  },
);

test(
  'a long outage of PostgreSQL says each thing once in the log, and once that it has ended',
  { timeout: 60_000 },
  async () => {
    const proxy = await startCuttingProxy(postgres().url);
    onTestFinished(() => proxy.close());
    const { holdword, url } = await startBusyServer(proxy.url);
    proxy.cut();
    const answer = send(url, 'echo one').catch(() => undefined);
    await holdword.printed(/Could not write the heartbeat/);
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    proxy.mend();
    await holdword.printed(/The heartbeat is written again/);
    await holdword.printed(/Push notifications are delivered again/);
    await holdword.printed(/Reconnected to PostgreSQL/);
    await answer;
    const messages = holdword
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => (JSON.parse(line) as { message: string }).message);
    expect(messages).toContain('Lost the connection to PostgreSQL; reconnecting.');
    expect(messages).toEqual([...new Set(messages)]);
  },
);
