import { ROUTE_KEY, SESSION_ROUTES } from '@holdword/protocol/internal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { message, SEND } from '../testing/answers.ts';
import { openToolFor } from '../testing/open-tool.ts';
import { startPeer } from '@holdword/client/testing';
import { extendRoute, longerRoute, readRoute, sessionRoute } from './route.ts';

describe('the route of a request', () => {
  const metadata = { 'urn:holdword:a2a:route:v1': { hops: 2, origins: ['a', 'b'] } };

  test('is sent with its message', async () => {
    const { url, calls } = await startPeer({ answer: () => ({ result: message('hi') }) });
    await openToolFor(url).call({ ...SEND, metadata });
    expect(calls[0]?.params).toMatchObject({
      message: {
        metadata: { 'urn:holdword:a2a:route:v1': { hops: 3, origins: ['a', 'b', expect.any(String)] } },
      },
    });
  });

  test('need not name the installation', async () => {
    const { url, calls } = await startPeer({ answer: () => ({ result: message('hi') }) });
    await openToolFor(url, { policy: { shareInstallationId: false } }).call({ ...SEND, metadata });
    expect(calls[0]?.params).toMatchObject({
      message: { metadata: { 'urn:holdword:a2a:route:v1': { hops: 3, origins: ['a', 'b'] } } },
    });
  });

  test('ends at the limit', async () => {
    const { url, calls } = await startPeer();
    const result = await openToolFor(url, { policy: { maxHops: 2 } }).call({ ...SEND, metadata });
    expect(result.error).toMatchObject({
      code: 'TARGET_RESOLUTION_ERROR',
      details: { reason: 'hop_limit_reached' },
    });
    expect(calls).toEqual([]);
  });
});

test('a message without a route starts one', () => {
  expect(extendRoute(readRoute(undefined), 'here', 3)).toEqual({ hops: 1, origins: ['here'] });
});

test('each agent adds itself', () => {
  const route = readRoute({ [ROUTE_KEY]: { hops: 2, origins: ['a', 'b'] } });
  expect(extendRoute(route, 'here', 3)).toEqual({ hops: 3, origins: ['a', 'b', 'here'] });
});

test('a route beyond the hop limit is rejected', () => {
  const route = readRoute({ [ROUTE_KEY]: { hops: 3, origins: ['here', 'b', 'here'] } });
  expect(() => extendRoute(route, 'here', 3)).toThrow(
    expect.objectContaining({
      code: 'TARGET_RESOLUTION_ERROR',
      details: expect.objectContaining({
        reason: 'hop_limit_reached',
        hops: 3,
        max_hops: 3,
        visits_here: 2,
      }) as object,
    }),
  );
});

test.each([
  ['a value that is not an object', 7, 0],
  ['an invalid number', { hops: 'many' }, 0],
  ['a negative number', { hops: -5, origins: ['a'] }, 1],
  ['fewer hops than origins', { hops: 1, origins: ['a', 'b', 3] }, 2],
])('%s is sanitized', (_name, value, hops) => {
  expect(readRoute({ [ROUTE_KEY]: value }).hops).toBe(hops);
});

test('the longer route wins', () => {
  const long = { hops: 2, origins: ['a', 'b'] };
  expect(longerRoute(long, { hops: 1, origins: [] })).toBe(long);
  expect(longerRoute({ hops: 1, origins: [] }, long)).toBe(long);
});

test('a channel in the same process publishes the route of a session', () => {
  Reflect.set(globalThis, SESSION_ROUTES, new Map([['agent:main', { hops: 4, origins: ['a'] }]]));
  onTestFinished(() => void Reflect.deleteProperty(globalThis, SESSION_ROUTES));
  expect(sessionRoute('agent:main')).toEqual({ hops: 4, origins: ['a'] });
  expect(sessionRoute('agent:other').hops).toBe(0);
  expect(sessionRoute(undefined).hops).toBe(0);
});
