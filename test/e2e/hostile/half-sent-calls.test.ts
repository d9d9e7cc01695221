import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { connect, type Socket } from 'node:net';
import type { Limits } from '@holdword/runtime';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allEvents, say, unique } from '../conversation.ts';
import { startAgent } from '../../support/start-agent.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';

/*
 * Strangers and callers that send a part of a request to the gRPC port and stop. What they cost is bounded, as it is over
 * HTTP.
 */

watchForLeaks();

const UNAUTHENTICATED = '16';
const INVALID_ARGUMENT = '3';
const RESOURCE_EXHAUSTED = '8';
const PATH = '/lf.a2a.v1.A2AService/GetTask';
const ANNOUNCED_BYTES = 1_048_000;
const SENT = halfMessage(1_040_000);

async function serve(limits: Limits = {}): Promise<TestAgent & { port: number }> {
  const agent = await startAgent({ apiKeys: true, limits });
  onTestFinished(() => agent.close());
  return { ...agent, port: Number(agent.target.grpcAddress.split(':').at(-1)) };
}

/** The beginning of a gRPC message that never ends. */
function halfMessage(bytes: number): Buffer {
  const message = Buffer.alloc(5 + bytes);
  message.writeUInt32BE(ANNOUNCED_BYTES, 1);
  return message;
}

async function openSession(port: number): Promise<ClientHttp2Session> {
  const session = connectHttp2(`http://127.0.0.1:${port}`, { maxSessionMemory: 1_000 });
  session.on('error', () => {});
  onTestFinished(() => session.destroy());
  await once(session, 'connect');
  return session;
}

function beginCall(session: ClientHttp2Session, headers: Record<string, string> = {}): ClientHttp2Stream {
  const call = session.request({
    ':method': 'POST',
    ':path': PATH,
    'content-type': 'application/grpc',
    te: 'trailers',
    ...headers,
  });
  call.on('error', () => {});
  call.resume();
  return call;
}

/** The status that a call gets, as soon as the server has also let go of it. */
function endOf(call: ClientHttp2Stream): Promise<unknown> {
  return new Promise((resolve) => {
    let status: unknown;
    call.once('response', (headers) => {
      status = headers['grpc-status'];
    });
    call.once('close', () => resolve(status));
  });
}

async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

describe('half-sent gRPC calls', () => {
  it('end at once without a credential, and nothing of them is held', async () => {
    const { port } = await serve();
    const before = process.memoryUsage().arrayBuffers;
    const sessions = await Promise.all(Array.from({ length: 8 }, () => openSession(port)));
    const calls = sessions.flatMap((session) => Array.from({ length: 100 }, () => beginCall(session)));
    const ends = calls.map(endOf);
    for (const call of calls) call.write(SENT);
    expect(new Set(await Promise.all(ends))).toEqual(new Set([UNAUTHENTICATED]));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200_000_000);
  });

  it('end in time with a credential, and a stream that runs longer is not affected', async () => {
    const agent = await serve({ headSeconds: 1, requestSeconds: 2 });
    const { port, gates, driver } = agent;
    const credential = { 'x-api-key': await agent.addKey('alice') };
    const alice = await driver({ binding: 'GRPC', version: '1.0', client: 'raw' }, credential);
    const gate = unique('gate');
    const events = allEvents(alice.stream(say(`status running; wait ${gate}; complete`)));

    const session = await openSession(port);
    const calls = Array.from({ length: 20 }, () => beginCall(session, credential));
    const ends = calls.map(endOf);
    for (const call of calls) call.write(SENT);
    expect(new Set(await Promise.all(ends))).toEqual(new Set([INVALID_ARGUMENT]));
    // Others may use the same connection, through a proxy.
    expect(session.destroyed).toBe(false);
    expect(await endOf(beginCall(session))).toBe(UNAUTHENTICATED);

    gates.open(gate);
    expect((await events).at(-1)).toMatchObject({
      statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } },
    });
  });

  it.each(['no-credential', 'credential'])(
    'that are too large end at once with their reason (%s)',
    async (kind) => {
      const agent = await serve({ bodyBytes: 2_000 });
      const credential = kind === 'credential' ? { 'x-api-key': await agent.addKey('alice') } : undefined;
      const call = beginCall(await openSession(agent.port), credential);
      const end = endOf(call);
      call.write(SENT);
      expect(await end).toBe(credential === undefined ? UNAUTHENTICATED : RESOURCE_EXHAUSTED);
    },
  );
});

describe('gRPC connections', () => {
  it('are closed if they send nothing, or no request, in time', async () => {
    const { port } = await serve({ headSeconds: 1 });
    const sockets = await Promise.all(Array.from({ length: 200 }, () => openSocket(port)));
    const closed = sockets.map((socket) => once(socket.resume(), 'close'));
    const greeting = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    const emptySettings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
    for (const socket of sockets.slice(0, 100)) socket.write(Buffer.concat([greeting, emptySettings]));
    await Promise.all(closed);
  });

  it('are closed beyond their number, and others are answered', async () => {
    const { port } = await serve({ connections: 5 });
    const sessions = await Promise.all(Array.from({ length: 5 }, () => openSession(port)));
    const socket = await openSocket(port);
    await once(socket.resume(), 'close');
    const [session] = sessions;
    expect(session && (await endOf(beginCall(session)))).toBe(UNAUTHENTICATED);
  });
});
