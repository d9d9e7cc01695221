import { expect, test } from 'vitest';
import { payloadHash } from './payload-hash.ts';
import { send } from './testing/start-test-operations.ts';

const data = { parts: [{ data: { b: [1, { y: 1, x: 2 }], a: null } }] };

test('is the same for the same intent, whatever the order of keys and however the sender waits', () => {
  const hash = payloadHash(send('', data, { metadata: { a: 1, b: 2 } }));
  const reordered = { parts: [{ data: { a: null, b: [1, { x: 2, y: 1 }] } }] };
  expect(payloadHash(send('', reordered, { metadata: { b: 2, a: 1 } }))).toBe(hash);
  const configuration = { returnImmediately: true, historyLength: 3 };
  expect(payloadHash(send('', data, { metadata: { a: 1, b: 2 }, configuration }))).toBe(hash);
});

test('differs with anything that the agent would see', () => {
  const requests = [
    send('x'),
    send('y'),
    send('x', { messageId: 'other' }),
    send('x', { contextId: 'c' }),
    send('x', { taskId: 't' }),
    send('x', {}, { metadata: { a: 1 } }),
    send('x', { parts: [{ text: 'x' }, { text: '' }] }),
    send('x', { parts: [{ data: [1, 2] }] }),
    send('x', { parts: [{ data: [2, 1] }] }),
    send('x', { parts: [{ data: { 0: 1, 1: 2 } }] }),
  ];
  expect(new Set(requests.map(payloadHash)).size).toBe(requests.length);
});
