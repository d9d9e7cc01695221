import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { verifyEvents, type Message, type StreamResponse } from '@holdword/protocol';
import { expect, test } from 'vitest';
import type { Executor } from '../executors/executor.ts';
import { startTestHost } from './testing/start-test-host.ts';

const ED25519 = generateKeyPairSync('ed25519').privateKey;
const P256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const MESSAGE: Message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'How much?' }] };

const seller: Executor['execute'] = async (_turn, sink) => {
  await sink.status('Looking it up.');
  await sink.artifact({
    artifactId: 'price',
    name: 'Price',
    parts: [{ text: '10 ' }, { data: { cents: 0 } }],
  });
  await sink.artifact({ artifactId: 'price', parts: 'euros', append: true, lastChunk: true });
};

/** The events of a task as a caller gets them, from a host and a worker that signs. */
async function eventsOf(key: KeyObject, execute: Executor['execute'] = seller) {
  const host = await startTestHost();
  await host.connect(execute, { signingKey: { key, keyId: 'key-1' } });
  const response = await fetch(`${host.url}/agents/laptop/a2a/jsonrpc`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'SendStreamingMessage',
      params: { message: MESSAGE },
    }),
  });
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '));
  const events = lines.map(
    (line) => (JSON.parse(line.slice('data: '.length)) as { result: StreamResponse }).result,
  );
  return { host, events };
}

async function statusOf(events: readonly StreamResponse[], key: KeyObject, messages = [MESSAGE]) {
  return (await verifyEvents(events, { keys: [createPublicKey(key)], messages })).status;
}

function isPrice(event: StreamResponse): boolean {
  return 'artifactUpdate' in event;
}

test.each([
  ['Ed25519', ED25519],
  ['P-256', P256],
])('callers verify what a worker has signed with %s', async (_name, key) => {
  const { host, events } = await eventsOf(key);
  expect(await statusOf(events, key)).toBe('verified');
  const { extensions } = (await host.card()).capabilities;
  const params = extensions.find(({ uri }) => uri === 'urn:holdword:a2a:signature:v1')?.params;
  expect(params).toMatchObject({ keys: [{ kid: 'key-1' }] });
  expect(JSON.stringify(params)).not.toContain('"d"');
});

test('a failure is signed, too', async () => {
  const { events } = await eventsOf(ED25519, () => Promise.reject(new Error('broken')));
  expect(await statusOf(events, ED25519)).toBe('verified');
  expect(JSON.stringify(events.at(-1))).toContain('urn:holdword:a2a:signature:v1');
});

test('a host can forge, change, drop, reorder and redirect nothing', async () => {
  const { events } = await eventsOf(ED25519);
  const changed = JSON.parse(JSON.stringify(events).replace('euros', 'cents')) as StreamResponse[];
  expect(await statusOf(changed, ED25519)).toBe('invalid');
  expect(await statusOf(events, P256)).toBe('invalid');
  const first = events.findIndex(isPrice);
  expect(await statusOf(events.toSpliced(first, 1), ED25519)).toBe('incomplete');
  const [price, rest] = events.filter(isPrice) as [StreamResponse, StreamResponse];
  expect(await statusOf(events.toSpliced(first, 2, rest, price), ED25519)).toBe('incomplete');
  expect(await statusOf(events.slice(0, -1), ED25519)).toBe('incomplete');
  const forged: StreamResponse = {
    artifactUpdate: {
      taskId: 't',
      contextId: 'c',
      artifact: { artifactId: 'price', parts: [{ text: 'free' }] },
    },
  };
  expect(await statusOf(events.toSpliced(first, 0, forged), ED25519)).toBe('unsigned');
  const other: Message = { ...MESSAGE, parts: [{ text: 'Do you want to know?' }] };
  expect(await statusOf(events, ED25519, [other])).toBe('invalid');
});
