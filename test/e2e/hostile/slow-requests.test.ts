import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callHttp } from '../../support/drivers/http-client.ts';
import { startAgent } from '../../support/start-agent.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { say } from '../conversation.ts';

/*
 * Clients that hold connections of the HTTP port: they send nothing, or slowly. Each is disconnected in the time that the
 * limits give it, and others are answered meanwhile.
 */

const CONNECTIONS = 50;
const LIMITS = { headSeconds: 1, requestSeconds: 2 };
/** The server looks for slow clients at intervals, and the machine may be busy. */
const PATIENCE_MILLISECONDS = 20_000;
const HEAD = 'POST /a2a/jsonrpc HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\n';
const BODY_FOLLOWS = 'Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{';

/** What the server sends before it closes the connection. */
async function endOf(socket: Socket): Promise<string> {
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  // Not by `once`, which rejects if the connection is reset.
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error('The connection was not closed.')),
      PATIENCE_MILLISECONDS,
    ).unref();
    socket.once('close', () => {
      clearTimeout(late);
      resolve();
    });
  });
  return received;
}

/** Sends one more character again and again, as long as the connection is open. */
function drip(socket: Socket, character: string): void {
  const timer = setInterval(() => socket.write(character), 100);
  socket.once('close', () => clearInterval(timer));
}

describe('slow HTTP clients', () => {
  watchForLeaks();
  let agent: TestAgent;
  let credential: string;
  beforeAll(async () => {
    agent = await startAgent({ apiKeys: true, limits: LIMITS });
    credential = await agent.addKey('alice');
  });
  afterAll(() => agent.close());

  const port = (): number => Number(new URL(agent.target.baseUrl).port);

  async function openSocket(begin: string): Promise<Socket> {
    const socket = connect(port(), '127.0.0.1');
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(begin);
    return socket;
  }

  it.each([
    ['send nothing', '', undefined, '408'],
    ['send half of the headers', HEAD, undefined, '408'],
    ['send headers one character at a time', HEAD, 'x', '408'],
    ['send half of a body, without a credential', `${HEAD}${BODY_FOLLOWS}`, undefined, '401'],
    ['send a body one character at a time, without a credential', `${HEAD}${BODY_FOLLOWS}`, ' ', '401'],
    ['send half of a body', 'credential', undefined, '408'],
    ['send a body one character at a time', 'credential', ' ', '408'],
  ])('are disconnected if they %s', async (_, begin, dripped, status) => {
    const text = begin === 'credential' ? `${HEAD}X-API-Key: ${credential}\r\n${BODY_FOLLOWS}` : begin;
    const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => openSocket(text)));
    if (dripped !== undefined) for (const socket of sockets) drip(socket, dripped);
    const ends = Promise.all(sockets.map(endOf));
    const other = await callHttp({
      url: agent.target.jsonRpcUrl,
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0', 'x-api-key': credential },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: say('complete') }),
    });
    expect(other.status).toBe(200);
    const received = await ends;
    // What a client sends after the end resets the connection, and may take the answer away that it has not read yet.
    const read = dripped === undefined ? received : received.filter((end) => end !== '');
    expect(read.length).toBeGreaterThan(CONNECTIONS / 2);
    for (const end of read) expect(end).toContain(`HTTP/1.1 ${status} `);
  });
});
