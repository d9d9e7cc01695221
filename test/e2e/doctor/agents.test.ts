import { createHmac, generateKeyPairSync } from 'node:crypto';
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldwordProcess } from '@holdword/cli/testing';
import { signCard, type AgentCard } from '@holdword/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { makeCertificate } from '../client/make-certificate.ts';
import { freePort } from '../../support/free-port.ts';
import { BEARER, cardAt, examine, json, makeHome, startAgent, startServer, type Setting } from './examine.ts';

const SLOW = { timeout: 120_000 };

type Side = 'this machine' | 'the agent' | 'the network';

/** A set-up that is broken in one way: how it is built, the check that has to name it, the side, and a part of what mends it. */
type Case = readonly [name: string, build: () => Promise<Setting>, check: string, side: Side, fix: RegExp];

/** A server with a certificate of an authority that the doctor trusts. */
async function startTls(name: string, days?: readonly [number, number], isTrusted = true): Promise<Setting> {
  const authority = makeCertificate('Test authority');
  const certificate = makeCertificate(name, authority, days);
  const origin = await startAgent({ certificate });
  return { words: ['-a', origin], environment: isTrusted ? await trust(authority.cert) : {} };
}

async function trust(cert: string): Promise<Record<string, string>> {
  const file = join(await makeHome(), 'ca.pem');
  await writeFile(file, cert);
  return { NODE_EXTRA_CA_CERTS: file };
}

const at = async (origin: Promise<string>, ...words: string[]): Promise<Setting> => ({
  words: ['-a', await origin, ...words],
});

const answering = (status: number, body: string, headers: Record<string, string> = {}): Promise<string> =>
  startServer((_request, response) => void response.writeHead(status, headers).end(body));

function tokenThatExpired(): string {
  const [head, body] = [{ alg: 'HS256' }, { sub: 'ada', exp: 1_700_000_000 }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return `${head}.${body}.${createHmac('sha256', 'secret').update(`${head}.${body}`).digest('base64url')}`;
}

const withCard = (change: (url: string) => object): Promise<string> =>
  startAgent({ card: (url) => ({ ...cardAt(url), ...change(url) }) });

const interfaceAt = (url: string, version = '1.0') => ({
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: version }],
});

/** A card that was changed after it was signed. */
async function startForged(): Promise<string> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const files = { '/keys.json': { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] } };
  return startAgent({
    files,
    card: async (url) => {
      const key = { key: privateKey, algorithm: 'ES256', keyId: 'k1', keySetUrl: `${url}/keys.json` };
      return { ...(await signCard(cardAt(url) as unknown as AgentCard, key)), name: 'Somebody else' };
    },
  });
}

/** An agent of Holdword that takes keys. */
async function startProtected(): Promise<{ origin: string; key: string }> {
  const cwd = await makeHome();
  const run = (...words: string[]): HoldwordProcess => {
    const holdword = new HoldwordProcess(words, { cwd });
    onTestFinished(() => holdword.kill());
    return holdword;
  };
  const added = run('keys', 'add', 'ada');
  await added.ended;
  const server = run('serve', '--port', '0', '--grpc-port', 'off');
  const [, origin = ''] = await server.printed(/card +(http:\S+)\/\.well-known/);
  return { origin, key: added.stdout().trim() };
}

/** A proxy that passes an answer on when it has all of it. */
async function startBufferingProxy(target: string): Promise<string> {
  let own = '';
  const forward = (
    incoming: IncomingMessage,
    body: Buffer,
    done: (status: number, type: string, text: string) => void,
  ): void => {
    const { host: _host, ...headers } = incoming.headers;
    const outgoing = requestHttp(
      new URL(incoming.url ?? '/', target),
      { method: incoming.method, headers },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () =>
          done(answer.statusCode ?? 0, answer.headers['content-type'] ?? '', Buffer.concat(parts).toString()),
        );
      },
    );
    outgoing.end(body);
  };
  own = await startServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () =>
      forward(incoming, Buffer.concat(parts), (status, type, text) => {
        response.writeHead(status, { 'content-type': type });
        response.end(text.replaceAll(target, own));
      }),
    );
  });
  return own;
}

async function startDemo(): Promise<string> {
  const demo = new HoldwordProcess(['serve', '--port', '0', '--grpc-port', 'off', '--store', 'memory'], {
    cwd: await makeHome(),
  });
  onTestFinished(() => demo.kill());
  const [, origin = ''] = await demo.printed(/card +(http:\S+)\/\.well-known/);
  return origin;
}

const CASES: readonly Case[] = [
  [
    'a host that does not exist',
    () => at(Promise.resolve('nowhere.invalid')),
    'host',
    'this machine',
    /spelling/,
  ],
  [
    'a port on which nothing listens',
    async () => at(Promise.resolve(`localhost:${await freePort()}`)),
    'connection',
    'the agent',
    /Start the agent/,
  ],
  [
    'http to a port with TLS',
    async () => {
      const { words = [] } = await startTls('localhost', undefined, false);
      return { words: words.map((word) => word.replace('https:', 'http:')) };
    },
    'connection',
    'this machine',
    /https:\/\//,
  ],
  [
    'https to a port without TLS',
    async () => at(Promise.resolve((await startAgent()).replace('http:', 'https:'))),
    'tls',
    'this machine',
    /http:\/\//,
  ],
  ['an expired certificate', () => startTls('localhost', [-3, -1]), 'tls', 'the agent', /renew/],
  ['a certificate of the future', () => startTls('localhost', [1, 3]), 'tls', 'this machine', /clock/],
  [
    'a certificate of another host',
    () => startTls('other.example'),
    'tls',
    'the agent',
    /host name of the certificate/,
  ],
  [
    'a certificate of an unknown authority',
    () => startTls('localhost', undefined, false),
    'tls',
    'the agent',
    /NODE_EXTRA_CA_CERTS/,
  ],
  [
    'clocks that differ',
    async () =>
      at(
        startServer((request, response) => {
          const late = new Date(Date.now() + 600_000).toUTCString();
          const { host = '' } = request.headers;
          if (request.method === 'GET') return json(response, 200, cardAt(`http://${host}`), { date: late });
          json(response, 200, { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'Task not found' } });
        }),
      ),
    'clock',
    'this machine',
    /timedatectl/,
  ],
  ['no card', () => at(answering(404, 'nothing here')), 'card', 'the agent', /agent-card\.json/],
  [
    'an address that has moved',
    () => at(answering(301, '', { location: 'http://127.0.0.1:9/new' })),
    'card',
    'this machine',
    /-a http:\/\/127\.0\.0\.1:9\/new/,
  ],
  [
    'a login in front of the card',
    () => at(answering(401, '', { 'www-authenticate': 'Basic realm="proxy"' })),
    'card',
    'the network',
    /exempt \/\.well-known/,
  ],
  [
    'a proxy without an agent behind it',
    () => at(answering(502, 'Bad Gateway')),
    'card',
    'the agent',
    /address to which the proxy forwards/,
  ],
  [
    'a web page',
    () => at(answering(200, '<!doctype html><title>Control</title>', { 'content-type': 'text/html' })),
    'card',
    'the agent',
    /openclaw channels status/,
  ],
  ['a card that is no JSON', () => at(answering(200, 'name: agent')), 'card', 'the agent', /Report this/],
  [
    'a card without interfaces',
    () => at(withCard(() => ({ supportedInterfaces: [] }))),
    'card',
    'the agent',
    /Report this/,
  ],
  [
    'a card that breaks the specification',
    () => at(withCard(() => ({ version: undefined }))),
    'card-valid',
    'the agent',
    /Report this/,
  ],
  [
    'an agent of A2A 0.3',
    () => at(withCard((url) => interfaceAt(url, '0.3'))),
    'card-version',
    'this machine',
    /--a2a-version 0\.3/,
  ],
  [
    'a binding that nobody knows',
    () =>
      at(
        withCard((url) => ({
          supportedInterfaces: [{ url, protocolBinding: 'CARRIER-PIGEON', protocolVersion: '1.0' }],
        })),
      ),
    'card-version',
    'the agent',
    /Report this/,
  ],
  [
    'an address for listening on the card',
    () => at(withCard(() => interfaceAt('http://0.0.0.0:4310/rpc'))),
    'card-addresses',
    'the agent',
    /--public-url http:\/\/127/,
  ],
  [
    'an address without TLS on a card with TLS',
    async () => {
      const authority = makeCertificate('Test authority');
      const origin = await startAgent({
        certificate: makeCertificate('localhost', authority),
        card: (url) => ({ ...cardAt(url), ...interfaceAt(url.replace('https:', 'http:')) }),
      });
      return { words: ['-a', origin], environment: await trust(authority.cert) };
    },
    'card-addresses',
    'the agent',
    /--public-url https:/,
  ],
  [
    'an extension that is required and unknown',
    () => at(withCard(() => ({ capabilities: { extensions: [{ uri: 'urn:example:x', required: true }] } }))),
    'card-extensions',
    'the agent',
    /optional/,
  ],
  [
    'a card that was changed after it was signed',
    () => at(startForged()),
    'card-signature',
    'the agent',
    /sign the card again/,
  ],
  [
    'no credential',
    async () => at(Promise.resolve((await startProtected()).origin)),
    'auth-credential',
    'this machine',
    /A2ACLI_BEARER/,
  ],
  [
    'a wrong key',
    async () =>
      at(Promise.resolve((await startProtected()).origin), '--bearer', 'holdword_000000000000_wrong'),
    'auth-answer',
    'this machine',
    /holdword keys add/,
  ],
  [
    'a token that has expired',
    () =>
      at(
        withCard(() => BEARER),
        '--bearer',
        tokenThatExpired(),
      ),
    'auth-credential',
    'this machine',
    /Log in again/,
  ],
  [
    'a token with the word Bearer',
    () =>
      at(
        withCard(() => BEARER),
        '--bearer',
        'Bearer abc',
      ),
    'auth-credential',
    'this machine',
    /Leave the word out/,
  ],
  [
    'a token in quotes',
    () =>
      at(
        withCard(() => BEARER),
        '--bearer',
        '"abc"',
      ),
    'auth-credential',
    'this machine',
    /quotes/,
  ],
  [
    'a kind of credential that the card does not take',
    () =>
      at(
        withCard(() => BEARER),
        '--api-key',
        'abc',
      ),
    'auth-credential',
    'this machine',
    /--bearer/,
  ],
  [
    'a 401 that the card does not announce',
    () => at(startAgent({ answer: (_request, response) => json(response, 401, { error: 'who are you?' }) })),
    'auth-answer',
    'the agent',
    /securitySchemes/,
  ],
  [
    'a caller without rights',
    () =>
      at(
        startAgent({
          card: (url) => ({ ...cardAt(url), ...BEARER }),
          answer: (_request, response) => json(response, 403, { error: 'no' }),
        }),
        '--bearer',
        'abc',
      ),
    'auth-answer',
    'the agent',
    /rights/,
  ],
  [
    'a proxy that does not forward the path of the agent',
    () =>
      at(
        startAgent({
          answer: (_request, response) => void response.writeHead(404).end('<html>not found</html>'),
        }),
      ),
    'auth-answer',
    'the agent',
    /forwards the paths/,
  ],
  [
    'another program on the path of the agent',
    () => at(startAgent({ answer: (_request, response) => void response.end('<html>Hello</html>') })),
    'auth-answer',
    'the agent',
    /no other program/,
  ],
  [
    'an address on the card where nothing listens',
    async () => {
      const port = await freePort();
      return at(withCard(() => interfaceAt(`http://127.0.0.1:${port}/rpc`)));
    },
    'auth-answer',
    'the agent',
    /--public-url/,
  ],
  [
    'an agent that fails',
    () => at(startAgent({ answer: (_request, response) => json(response, 500, { error: 'broken' }) })),
    'auth-answer',
    'the agent',
    /log of its server/,
  ],
  [
    'a proxy that holds streams back',
    async () => at(startBufferingProxy(await startDemo()), '--send', 'wait 3'),
    'stream',
    'the network',
    /proxy_buffering off/,
  ],
];

test.each(CASES)('%s', SLOW, async (_name, build, check, side, fix) => {
  const { complaints } = await examine(await build());
  expect(complaints).toEqual([
    expect.objectContaining({ check, side, fix: expect.stringMatching(fix) as string }),
  ]);
});

test('a variable with the key of a named agent is missing', SLOW, async () => {
  const { origin, key } = await startProtected();
  const home = await makeHome();
  const environment = { HOME: home, XDG_CONFIG_HOME: home };
  const added = new HoldwordProcess(['env', 'add', 'work', origin, '--key-from', 'env:WORK_KEY'], {
    cwd: home,
    environment,
  });
  expect(await added.ended).toBe(0);
  const missing = await examine({ words: ['-a', 'work'], environment, cwd: home });
  expect(missing.complaints).toEqual([
    expect.objectContaining({ check: 'auth-credential', side: 'this machine' }),
  ]);
  expect(missing.complaints[0]?.found).toContain('export WORK_KEY=KEY');
  const healthy = await examine({
    words: ['-a', 'work'],
    environment: { ...environment, WORK_KEY: key },
    cwd: home,
  });
  expect(healthy).toMatchObject({ code: 0, complaints: [] });
});

test('agents that work are not complained about', SLOW, async () => {
  const { origin, key } = await startProtected();
  const protectedAgent = await examine({
    words: ['-a', origin, '--send', 'wait 2'],
    environment: { A2ACLI_BEARER: key },
  });
  expect(protectedAgent).toMatchObject({ code: 0, complaints: [] });
  expect(protectedAgent.checks).toEqual(expect.arrayContaining(['card', 'auth-answer', 'stream']));
  expect(await examine(await startTls('localhost'))).toMatchObject({ code: 0, complaints: [] });
  expect(await examine(await at(startAgent()))).toMatchObject({ code: 0, complaints: [] });
});
