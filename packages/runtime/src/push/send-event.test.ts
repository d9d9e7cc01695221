import { openMemoryStore } from '@holdword/store';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { loadPushKeys } from './push-keys.ts';
import type { PushTarget } from './push-targets.ts';
import { buildDeliveryRequest, classifyResponse } from './send-event.ts';

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

test('the token of a 0.3 client without authentication is a bearer token as well', async () => {
  const target: PushTarget = { ...TARGET, version: '0.3', token: 'shared' };
  const { headers } = await buildDeliveryRequest(target, EVENT, keys);
  expect(headers).toMatchObject({ Authorization: 'Bearer shared', 'X-A2A-Notification-Token': 'shared' });
});

test.each<Partial<PushTarget>>([
  { version: '1.0', token: 'shared' },
  { version: '0.3', token: '' },
  { version: '0.3', token: 'shared', authentication: { scheme: 'Basic' } },
])('no authorization is made up for %j', async (given) => {
  const { headers } = await buildDeliveryRequest({ ...TARGET, ...given }, EVENT, keys);
  expect(headers).not.toHaveProperty('Authorization');
});

test('the trace of the request that configured the target is sent with it', async () => {
  const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
  const { headers } = await buildDeliveryRequest({ ...TARGET, trace }, EVENT, keys);
  expect(headers).toMatchObject(trace);
});

function asked(value: string) {
  return classifyResponse({ status: 503, headers: { 'retry-after': value } });
}

describe('classifying a response', () => {
  test.each([200, 201, 202, 204, 299])('%d means that the event was delivered', (status) => {
    expect(classifyResponse({ status, headers: {} })).toEqual({ kind: 'delivered' });
  });

  test.each([301, 302, 307, 308, 400, 401, 403, 404, 413, 422])(
    '%d means that the receiver refuses the event',
    (status) => {
      expect(classifyResponse({ status, headers: {} })).toMatchObject({ kind: 'failed', refused: true });
    },
  );

  test.each([408, 425, 429, 500, 502, 503, 504])('%d may succeed later', (status) => {
    expect(classifyResponse({ status, headers: {} })).toMatchObject({ kind: 'failed', refused: false });
  });

  test('410 ends the target', () => {
    expect(classifyResponse({ status: 410, headers: {} })).toEqual({ kind: 'gone', error: 'answered 410' });
  });

  test('Retry-After is read as seconds or a date, and anything else is ignored', () => {
    expect(asked('12')).toMatchObject({ retryAfterMilliseconds: 12_000 });
    expect(asked(new Date(0).toUTCString())).toMatchObject({ retryAfterMilliseconds: 0 });
    expect(asked('soon')).toMatchObject({ retryAfterMilliseconds: undefined });
  });
});
