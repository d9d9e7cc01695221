import { openMemoryStore } from '@holdword/store';
import { type JSONWebKeySet, SignJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { loadPushKeys, type PushKeys } from './push-keys.ts';
import { createPushReceiver, type IncomingNotification, type PushReceiver } from './push-receiver.ts';
import type { PushTarget } from './push-targets.ts';
import { buildDeliveryRequest } from './send-event.ts';

const AUDIENCE = 'https://receiver.example';
const TARGET: PushTarget = {
  taskId: 'task',
  configId: 'a/b ü',
  owner: 'me',
  url: `${AUDIENCE}/hook?secret=1`,
  version: '1.0',
  createdAt: 0,
  delivered: 0,
};

let keys: PushKeys;
beforeAll(async () => {
  keys = await loadPushKeys(openMemoryStore());
});

async function notification(sequence: number, more: Partial<PushTarget> = {}): Promise<IncomingNotification> {
  const event = { sequence, json: `{"task":${sequence}}` };
  const { headers, body } = await buildDeliveryRequest({ ...TARGET, ...more }, event, keys);
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { headers: Object.fromEntries(lower), body };
}

function openReceiver(keySet: JSONWebKeySet = keys.keySet): PushReceiver {
  return createPushReceiver({ keys: keySet, audience: AUDIENCE });
}

test('a signed notification is passed on with its details', async () => {
  const seen: unknown[] = [];
  const result = await openReceiver().receive(await notification(7), async (delivery) => {
    seen.push(delivery);
  });
  expect(result).toBe('handled');
  expect(seen).toMatchObject([{ taskId: 'task', configId: 'a/b ü', sequence: 7, event: { task: 7 } }]);
});

test('a repetition and an earlier event are not passed on', async () => {
  const receiver = openReceiver();
  const seen: number[] = [];
  const receive = async (sequence: number) =>
    receiver.receive(await notification(sequence), async (delivery) => void seen.push(delivery.sequence));
  expect(await receive(1)).toBe('handled');
  expect(await receive(2)).toBe('handled');
  expect(await receive(2)).toBe('duplicate');
  expect(await receive(1)).toBe('duplicate');
  expect(await receive(3)).toBe('handled');
  expect(seen).toEqual([1, 2, 3]);
});

test('two concurrent requests with the same event are one event', async () => {
  const receiver = openReceiver();
  const same = await notification(1);
  let handled = 0;
  const handle = async () => {
    handled += 1;
    await new Promise((resolve) => setImmediate(resolve));
  };
  const results = await Promise.all([receiver.receive(same, handle), receiver.receive(same, handle)]);
  expect(results.toSorted()).toEqual(['duplicate', 'handled']);
  expect(handled).toBe(1);
});

test('an event whose handler failed is passed on when it comes again', async () => {
  const receiver = openReceiver();
  const failing = receiver.receive(await notification(1), () => Promise.reject(new Error('no disk')));
  await expect(failing).rejects.toThrow('no disk');
  expect(await receiver.receive(await notification(1), async () => {})).toBe('handled');
});

function handOn(): Promise<void> {
  return Promise.reject(new Error('was handed on'));
}

function sign(typ: string, issuedAt: number): Promise<string> {
  return new SignJWT({ sha256: '' })
    .setProtectedHeader({ alg: keys.algorithm, kid: keys.keyId, typ })
    .setIssuedAt(issuedAt)
    .setJti('task/config/1')
    .setAudience(AUDIENCE)
    .sign(keys.privateKey);
}

test('what the sender did not sign, for this receiver, recently and unchanged, is rejected', async () => {
  const receiver = openReceiver();
  const good = await notification(1);
  const refused = (wrong: IncomingNotification, by = receiver) =>
    expect(by.receive(wrong, handOn)).rejects.toMatchObject({ name: 'PushRefusedError', status: 401 });

  await refused({ ...good, headers: {} });
  await refused({ ...good, body: '{"task":2}' });
  await refused({ ...good, headers: { 'holdword-signature': 'a.b.c' } });
  await refused(await notification(1, { url: 'https://other.example/' }));
  await refused(good, openReceiver((await loadPushKeys(openMemoryStore())).keySet));
  const now = Math.floor(Date.now() / 1000);
  for (const signature of [
    await sign('JWT', now),
    await sign('holdword-push+jwt', now - 3_600),
    await sign('holdword-push+jwt', now + 3_600),
  ]) {
    await refused({ ...good, headers: { 'holdword-signature': signature } });
  }
});
