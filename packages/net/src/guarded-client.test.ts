import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createGuardedClient, type GuardedClientOptions } from './guarded-client.ts';
import { isForbiddenUrlError } from './forbidden-urls.ts';
import { startListener } from './testing/start-listener.ts';

const request = {
  method: 'POST',
  headers: { 'X-Test': 'yes' },
  body: 'héllo',
  timeoutMilliseconds: 5_000,
  maxResponseBytes: 10,
};

function openClient(options: GuardedClientOptions) {
  const client = createGuardedClient(options);
  onTestFinished(() => client.close());
  return client;
}

const toLoopback = async () => [{ address: '127.0.0.1', family: 4 }];

test.each([
  ['a range', '127.0.0.0/8', '127.0.0.1'],
  ['an address', '127.0.0.1', '127.0.0.1'],
  ['an IPv6 range', '::1/128', '[::1]'],
  ['a range, for the same address inside IPv6', '127.0.0.0/8', '[::ffff:127.0.0.1]'],
  ['a host', 'receiver.internal', 'receiver.internal'],
  ['a range, for a local name that leads into it', '127.0.0.0/8', 'localhost'],
])('%s on the allow list can be called, also without TLS', async (_, allow, host) => {
  const listener = await startListener((incoming, response) => {
    response.end(`${incoming.method} ${incoming.headers['content-length']}`);
  });
  const client = openClient({ allow: [allow], resolve: toLoopback });
  const url = `http://${host}:${listener.port}/hook?x=1`;
  await client.check(url);
  expect(await client.send({ ...request, url })).toMatchObject({ status: 200, body: 'POST 6' });
});

test('the connection goes to the resolved address and the request has the host name', async () => {
  const hosts: (string | undefined)[] = [];
  const listener = await startListener((incoming, response) => {
    hosts.push(incoming.headers.host);
    response.end();
  });
  const client = openClient({ allow: ['hook.example'], resolve: toLoopback });
  await client.send({ ...request, url: `http://hook.example.:${listener.port}/` });
  expect(hosts).toEqual([`hook.example:${listener.port}`]);
});

test('a redirect is returned, not followed', async () => {
  const listener = await startListener((_, response) => {
    response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
  });
  const client = openClient({ allow: ['127.0.0.1'] });
  const response = await client.send({ ...request, url: `http://127.0.0.1:${listener.port}/` });
  expect(response.status).toBe(302);
  expect(listener.connections()).toBe(1);
});

test('connections are reused', async () => {
  const listener = await startListener();
  const client = openClient({ allow: ['127.0.0.1'] });
  for (let turn = 0; turn < 3; turn += 1) {
    await client.send({ ...request, url: `http://127.0.0.1:${listener.port}/` });
  }
  expect(listener.connections()).toBe(1);
});

test('a long response is truncated', async () => {
  const listener = await startListener((_, response) => {
    response.write('0123456789');
    response.write('and so on, without an end');
  });
  const client = openClient({ allow: ['127.0.0.1'] });
  const { body } = await client.send({ ...request, url: `http://127.0.0.1:${listener.port}/` });
  expect(body).toBe('0123456789');
});

test('a missing response times out', async () => {
  const listener = await startListener(() => {});
  const client = openClient({ allow: ['127.0.0.1'] });
  const url = `http://127.0.0.1:${listener.port}/`;
  await expect(client.send({ ...request, url, timeoutMilliseconds: 50 })).rejects.toThrow();
});

test('a name that never resolves times out', async () => {
  const client = openClient({ resolve: () => new Promise(() => {}) });
  const url = 'https://slow.example/';
  await expect(client.send({ ...request, url, timeoutMilliseconds: 50 })).rejects.toThrow();
});

test('the caller can abort', async () => {
  const arrived = Promise.withResolvers<void>();
  const listener = await startListener(() => arrived.resolve());
  const client = openClient({ allow: ['127.0.0.1'] });
  const leaving = new AbortController();
  const url = `http://127.0.0.1:${listener.port}/`;
  const sent = client.send({ ...request, url, signal: leaving.signal });
  void arrived.promise.then(() => leaving.abort());
  await expect(sent).rejects.toThrow();
});

test('a host that does not resolve passes the check unless it must be on the allow list', async () => {
  const client = openClient({
    resolve: () => Promise.reject(new Error('getaddrinfo ENOTFOUND')),
    allow: ['10.0.0.0/8'],
  });
  await client.check('https://later.example/');
  await expect(client.check('http://later.example/')).rejects.toSatisfy(isForbiddenUrlError);
});

test('a connection closed while idle is replaced', async () => {
  const sockets = new Set<Socket>();
  const listener = await startListener((incoming, response) => {
    sockets.add(incoming.socket);
    response.end();
  });
  const client = openClient({ allow: ['127.0.0.1'] });
  const url = `http://127.0.0.1:${listener.port}/`;
  await client.send({ ...request, url });
  for (const socket of sockets) socket.resetAndDestroy();
  expect((await client.send({ ...request, url })).status).toBe(200);
});

test.each(['10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '::1/129', 'a b', '', 'http://x'])(
  'the entry "%s" of an allow list is rejected',
  (entry) => {
    expect(() => createGuardedClient({ allow: [entry] })).toThrow('Invalid allow list entry');
  },
);
