import { openMemoryStore } from '@holdword/store';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { buildDeliveryRequest } from './delivery-request.ts';
import { loadPushKeys } from './push-keys.ts';
import type { PushTarget } from './push-target.ts';

const TARGET: PushTarget = {
  taskId: 'task',
  configId: 'config',
  owner: 'me',
  url: 'https://receiver.example:8443/hook?x=1',
  version: '1.0',
  createdAt: 0,
  delivered: 0,
};
const EVENT = {
  sequence: 3,
  json: '{ "statusUpdate": {"taskId":"task","contextId":"c","status":{"state":"TASK_STATE_COMPLETED"}}}',
};
const keys = await loadPushKeys(openMemoryStore());

test('a 1.0 client gets the bytes of the journal', async () => {
  const { headers, body } = await buildDeliveryRequest(TARGET, EVENT, keys);
  expect(body).toBe(EVENT.json);
  expect(headers).toMatchObject({
    'Content-Type': 'application/a2a+json',
    'A2A-Version': '1.0',
    'Holdword-Delivery-Id': 'task/config/3',
    'Holdword-Timestamp': expect.stringMatching(/^\d+$/),
  });
  expect(headers).not.toHaveProperty('Authorization');
  expect(headers).not.toHaveProperty('X-A2A-Notification-Token');
  expect(decodeJwt(headers['Holdword-Signature'] ?? '')).toMatchObject({
    jti: 'task/config/3',
    aud: 'https://receiver.example:8443',
  });
});

test('a 0.3 client gets the event in the format of 0.3', async () => {
  const { headers, body } = await buildDeliveryRequest({ ...TARGET, version: '0.3' }, EVENT, keys);
  expect(JSON.parse(body)).toEqual({
    kind: 'status-update',
    taskId: 'task',
    contextId: 'c',
    status: { state: 'completed' },
    final: true,
  });
  expect(headers['Content-Type']).toBe('application/json');
});

test.each([
  ['bearer', 'abc', 'Bearer abc'],
  ['BASIC', 'dTpw', 'Basic dTpw'],
  ['Custom', 'x=1', 'Custom x=1'],
])('credentials with the scheme %s are sent', async (scheme, credentials, expected) => {
  const target = { ...TARGET, token: 'shared', authentication: { scheme, credentials } };
  const { headers } = await buildDeliveryRequest(target, EVENT, keys);
  expect(headers['Authorization']).toBe(expected);
  expect(headers['X-A2A-Notification-Token']).toBe('shared');
});

test('the trace of the request that configured the target is sent with it', async () => {
  const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  const { headers } = await buildDeliveryRequest({ ...TARGET, trace }, EVENT, keys);
  expect(headers).toMatchObject(trace);
});
