import { request as httpRequest } from 'node:http';
import { startWebServer } from '@holdword/client/testing';
import { verifyCard } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { exportJWK, generateKeyPair } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { startAgent } from '../../support/start-agent.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { openSession } from './open-session.ts';

watchForLeaks();

type Json = Record<string, unknown>;
const CARD_PATH = '/.well-known/agent-card.json';

/** A gateway in front of an agent with a signed card. It forwards every request, and serves the card as it rewrites it. */
async function startGateway(rewrite: (card: Json) => Json) {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const agent = await startAgent({ signingKey: { key: privateKey, algorithm: 'ES256', keyId: 'key' } });
  onTestFinished(() => agent.close());
  let served = '';
  const gateway = await startWebServer((request, response) => {
    if (request.url === CARD_PATH) {
      response.end(served);
      return;
    }
    const { method, headers } = request;
    const inner = httpRequest(`${agent.target.baseUrl}${request.url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    request.pipe(inner);
  });
  const headers = { 'A2A-Version': '1.0' };
  const card = await (await fetch(`${agent.target.baseUrl}${CARD_PATH}`, { headers })).text();
  served = JSON.stringify(
    rewrite(asObject(JSON.parse(card.replaceAll(agent.target.baseUrl, gateway.origin)))),
  );
  return { gateway, key: await exportJWK(publicKey) };
}

const withoutGrpc = (interfaces: unknown): Json[] =>
  (interfaces as Json[]).filter(({ protocolBinding }) => protocolBinding !== 'GRPC');

const REWRITES: readonly [string, 'invalid' | 'absent', (card: Json) => Json][] = [
  ['moves its interfaces', 'invalid', (card) => card],
  ['strips its signature', 'absent', ({ signatures: _stripped, ...card }) => card],
  [
    'drops interfaces, and adds fields that no version has',
    'invalid',
    (card) => ({
      ...card,
      supportedInterfaces: withoutGrpc(card['supportedInterfaces']).map((each) => ({ ...each, weight: 1 })),
      gateway: { name: 'gateway' },
    }),
  ],
  [
    'writes it as a card of A2A 0.3',
    'absent',
    ({ name, description, version, skills, capabilities, supportedInterfaces }) => ({
      name,
      description,
      version,
      skills,
      capabilities,
      protocolVersion: '0.3.0',
      url: (supportedInterfaces as Json[]).find((each) => each['protocolBinding'] === 'JSONRPC')?.['url'],
      preferredTransport: 'JSONRPC',
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
    }),
  ],
];

test.each(REWRITES)(
  'an agent behind a gateway that %s is called through it',
  async (_name, status, rewrite) => {
    const { gateway, key } = await startGateway(rewrite);
    const session = openSession(gateway.origin);
    expect(await session.sendMessage('agent', 'artifact a hello; complete')).toMatchObject({
      status: { state: 'completed' },
      artifacts: [{ artifactId: 'a' }],
    });
    const called = gateway.requests.map(({ url }) => url);
    expect(called.filter((url) => url?.startsWith('/a2a')).length).toBeGreaterThan(0);
    // What the signature is worth is said, never silently taken for granted.
    const card = asObject(await (await fetch(`${gateway.origin}${CARD_PATH}`)).json());
    expect(await verifyCard(card, () => key)).toEqual({ status });
  },
);
