import { connect } from 'node:net';
import { HoldwordProcess } from '@holdword/cli/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';

const TARGETS = [
  '//',
  '///',
  '//[',
  '/\\',
  '*',
  'http://[',
  'http://',
  'http:// /',
  '/%',
  '/%zz?%',
  '?',
  '#',
  '/mcp%00',
  '/v1/mcp//',
  '/..//..',
  `/${'a'.repeat(8_000)}`,
];
const HOSTS = ['127.0.0.1', '', '[', 'a b', 'a:b:c', '127.0.0.1:99999', '%', 'a'.repeat(5_000)];
const METHODS = ['GET', 'POST', 'OPTIONS', 'HEAD', 'DELETE'];

const REQUESTS: readonly string[] = [
  ...TARGETS.flatMap((target) =>
    METHODS.map((method) => `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n`),
  ),
  ...HOSTS.flatMap((host) =>
    ['/', '/mcp', '/v1/mcp', '//'].map((path) => `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n`),
  ),
  'GET / HTTP/1.1\r\n',
  'GET / HTTP/9.9\r\nHost: x\r\n',
  'GET\r\n',
  '\r\n\r\nGET //\r\n',
  'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: x\r\n',
  'GET // HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n',
  '\u0016\u0003\u0001\u0002\u0000',
];

/** Sends a request and returns what comes back before the server closes the connection. */
async function answerTo(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  const end = request.startsWith('\u0016')
    ? ''
    : 'Content-Type: application/json\r\nConnection: close\r\n\r\n';
  socket.end(`${request}${end}`, 'latin1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString();
}

describe.each([
  ['serve', ['serve', '--port', '0', '--grpc-port', '0'], /JSON-RPC\s+http:\/\/\S+?:(\d+)/],
  ['serve --hub', ['serve', '--hub', '--port', '0', '--grpc-port', '0'], /JSON-RPC\s+http:\/\/\S+?:(\d+)/],
  [
    'mcp --http',
    ['mcp', '--http', '0', '--agent', 'demo=http://127.0.0.1:1'],
    /http:\/\/127\.0\.0\.1:(\d+)\/mcp/,
  ],
] as const)('holdword %s', (_, words, address) => {
  let folder: TemporaryFolder;
  let server: HoldwordProcess;
  let port: number;
  beforeAll(async () => {
    folder = await temporaryFolder();
    server = new HoldwordProcess(words, { cwd: folder.path });
    port = Number((await server.printed(address))[1]);
  });
  afterAll(async () => {
    await server.kill();
    await folder.remove();
  });

  test('answers or closes whatever is sent, and keeps running', async () => {
    for (const request of REQUESTS) {
      const answer = await answerTo(port, request);
      expect(answer, JSON.stringify(request.slice(0, 80))).toMatch(/^(?:HTTP\/1\.1 [2345]\d\d |$)/);
      // A server must not fail at what strangers send.
      expect(answer, JSON.stringify(request.slice(0, 80))).not.toMatch(/^HTTP\/1\.1 500 /);
    }
    expect(await answerTo(port, 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n')).toMatch(/^HTTP\/1\.1 (?:200|404) /);
    expect(server.errors()).not.toContain('nobody caught it');
  });
});
