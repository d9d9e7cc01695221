import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { textAt } from '../../json-value.ts';

/** How a fake gateway answers: to connections, and to runs. */
export interface FakeGateway {
  readonly port: number;
  /** While it is set, connections are answered as a real gateway does while it starts. */
  starting: boolean;
  /** While it is set, runs are answered so. */
  runsUnavailable: boolean;
  /** The messages of the runs that it was asked for. */
  readonly messages: string[];
  listen(): Promise<void>;
}

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const STARTING = {
  code: 'UNAVAILABLE',
  message: 'gateway starting; retry shortly',
  retryable: true,
  retryAfterMs: 100,
  details: { reason: 'startup-sidecars' },
};

/**
 * A gateway whose start takes as long as a test wants: it speaks as much of WebSocket and of the protocol as one short run
 * needs. It listens when told to, at a port that is known before.
 */
export async function createFakeGateway(): Promise<FakeGateway> {
  const gateway: FakeGateway = {
    port: await freePort(),
    starting: false,
    runsUnavailable: false,
    messages: [],
    listen: () => listen(gateway),
  };
  return gateway;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listen(gateway: FakeGateway): Promise<void> {
  const sockets = new Set<Duplex>();
  const server: Server = createServer();
  server.on('upgrade', (request, socket) => {
    sockets.add(socket);
    const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}${MAGIC}`).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
    );
    serve(gateway, socket);
  });
  server.listen(gateway.port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
}

function serve(gateway: FakeGateway, socket: Duplex): void {
  send(socket, { type: 'event', event: 'connect.challenge', payload: {} });
  let received = Buffer.alloc(0);
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (let frame = readFrame(received); frame !== undefined; frame = readFrame(received)) {
      received = received.subarray(frame.length);
      if (frame.text !== undefined) answer(gateway, socket, JSON.parse(frame.text));
    }
  });
}

function answer(gateway: FakeGateway, socket: Duplex, request: unknown): void {
  const id = textAt(request, 'id');
  const isConnect = textAt(request, 'method') === 'connect';
  const error = (isConnect ? gateway.starting : gateway.runsUnavailable) ? STARTING : undefined;
  if (error !== undefined) return send(socket, { type: 'res', id, ok: false, error });
  if (!isConnect) gateway.messages.push(textAt(request, 'params', 'message') ?? '');
  const payload = isConnect
    ? { server: { bootId: 'boot', version: 'fake' } }
    : { status: 'ok', result: { payloads: [{ text: 'From the gateway.' }] } };
  send(socket, { type: 'res', id, ok: true, payload });
}

function send(socket: Duplex, value: unknown): void {
  const body = Buffer.from(JSON.stringify(value));
  const head = body.length < 126 ? [0x81, body.length] : [0x81, 126, body.length >> 8, body.length & 0xff];
  socket.write(Buffer.concat([Buffer.from(head), body]));
}

/** The first frame, if it has arrived. Frames of clients are masked; only texts are of interest. */
function readFrame(bytes: Buffer): { length: number; text?: string } | undefined {
  if (bytes.length < 8) return undefined;
  const short = (bytes[1] as number) & 0x7f;
  const start = short === 126 ? 8 : 6;
  const size = short === 126 ? bytes.readUInt16BE(2) : short;
  if (bytes.length < start + size) return undefined;
  const mask = bytes.subarray(start - 4, start);
  const body = bytes.subarray(start, start + size).map((byte, index) => byte ^ (mask[index % 4] as number));
  const isText = ((bytes[0] as number) & 0x0f) === 1;
  return { length: start + size, ...(isText && { text: Buffer.from(body).toString() }) };
}
