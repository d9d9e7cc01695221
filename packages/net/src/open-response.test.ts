import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createGuardedClient, type GuardedClientOptions } from './guarded-client.ts';
import { startListener } from './testing/start-listener.ts';

function openClient(options: GuardedClientOptions) {
  const client = createGuardedClient(options);
  onTestFinished(() => client.close());
  return client;
}

const get = { method: 'GET', headers: {}, timeoutMilliseconds: 5_000 };

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A server with a custom handler for each connection. */
async function startRawServer(serve: Parameters<typeof createServer>[1]): Promise<number> {
  const server: Server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

test('the body is streamed', async () => {
  const more = Promise.withResolvers<void>();
  const listener = await startListener((_, response) => {
    response.write('first');
    void more.promise.then(() => response.end('second'));
  });
  const client = openClient({ trustedOrigins: [`http://127.0.0.1:${listener.port}`] });
  const { status, body } = await client.open({ ...get, url: `http://127.0.0.1:${listener.port}/a?b=1` });
  expect(status).toBe(200);
  const chunks: string[] = [];
  for await (const chunk of body) {
    chunks.push(chunk.toString());
    more.resolve();
  }
  expect(chunks).toEqual(['first', 'second']);
});

test('the timeout covers the headers, not the body', async () => {
  const more = Promise.withResolvers<void>();
  const listener = await startListener((_, response) => {
    response.write('first');
    void more.promise.then(() => response.end('second'));
  });
  const client = openClient({ allow: ['127.0.0.1'] });
  const url = `http://127.0.0.1:${listener.port}/`;
  const { body } = await client.open({ ...get, url, timeoutMilliseconds: 200 });
  setTimeout(() => more.resolve(), 400);
  expect(await textOf(body)).toBe('firstsecond');
});

test('a trusted origin is called without checks, another port of its host is not', async () => {
  const listener = await startListener((_, response) => response.end('here'));
  const other = await startListener();
  const client = openClient({ trustedOrigins: [`http://localhost:${listener.port}`] });
  const { body } = await client.open({ ...get, url: `http://localhost:${listener.port}/` });
  expect(await textOf(body)).toBe('here');
  await expect(client.open({ ...get, url: `http://localhost:${other.port}/` })).rejects.toMatchObject({
    code: 'FORBIDDEN_URL',
  });
  expect(other.connections()).toBe(0);
  expect(await client.addressesOf(`http://localhost:${listener.port}/`)).not.toEqual([]);
  await expect(client.addressesOf(`http://localhost:${other.port}/`)).rejects.toMatchObject({
    code: 'FORBIDDEN_URL',
  });
});

test('an error says whether the request may have arrived', async () => {
  const port = await startRawServer((socket) => socket.once('data', () => socket.destroy()));
  const client = openClient({ allow: ['127.0.0.1'] });
  const failure = (url: string): Promise<unknown> => client.open({ ...get, url }).catch((error) => error);
  expect(await failure(`http://127.0.0.1:${port}/`)).toMatchObject({ code: 'CONNECTION_FAILED', sent: true });
  // No TLS there: the request itself was never sent.
  expect(await failure(`https://127.0.0.1:${port}/`)).toMatchObject({
    code: 'CONNECTION_FAILED',
    sent: false,
  });
});

test('a refused connection counts as not sent, and its error contains no address', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const client = openClient({ allow: ['127.0.0.1'] });
  await expect(client.open({ ...get, url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({
    sent: false,
    message: 'the connection was refused',
  });
});

test('an incomplete body is an error', async () => {
  const port = await startRawServer((socket) =>
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
      setImmediate(() => socket.destroy());
    }),
  );
  const client = openClient({ allow: ['127.0.0.1'] });
  const { body } = await client.open({ ...get, url: `http://127.0.0.1:${port}/` });
  await expect(textOf(body)).rejects.toMatchObject({ code: 'CONNECTION_FAILED', sent: true });
});

test('repeatable requests share a connection, others get a new one', async () => {
  const listener = await startListener((_, response) => response.end('x'));
  const client = openClient({ allow: ['127.0.0.1'] });
  const url = `http://127.0.0.1:${listener.port}/`;
  for (let turn = 0; turn < 3; turn += 1) {
    await textOf((await client.open({ ...get, url, repeatable: true })).body);
  }
  expect(listener.connections()).toBe(1);
  for (let turn = 0; turn < 2; turn += 1) await textOf((await client.open({ ...get, url })).body);
  expect(listener.connections()).toBe(3);
});

test('a response can be closed with a reason', async () => {
  const listener = await startListener((_, response) => void response.write('x'));
  const client = openClient({ allow: ['127.0.0.1'] });
  const response = await client.open({ ...get, url: `http://127.0.0.1:${listener.port}/` });
  const reading = textOf(response.body);
  response.close(new DOMException('The operation timed out.', 'TimeoutError'));
  await expect(reading).rejects.toMatchObject({ message: 'the request timed out' });
});

test('the caller can abort while reading the body', async () => {
  const listener = await startListener((_, response) => void response.write('x'));
  const client = openClient({ allow: ['127.0.0.1'] });
  const leaving = new AbortController();
  const url = `http://127.0.0.1:${listener.port}/`;
  const { body } = await client.open({ ...get, url, signal: leaving.signal });
  const reading = textOf(body);
  leaving.abort();
  await expect(reading).rejects.toThrow();
  await expect(client.open({ ...get, url, signal: leaving.signal })).rejects.toMatchObject({
    name: 'AbortError',
  });
});

test('a missing response times out', async () => {
  const listener = await startListener(() => {});
  const client = openClient({ allow: ['127.0.0.1'] });
  const url = `http://127.0.0.1:${listener.port}/`;
  await expect(client.open({ ...get, url, timeoutMilliseconds: 50 })).rejects.toMatchObject({
    code: 'CONNECTION_FAILED',
    message: 'the request timed out',
  });
});
