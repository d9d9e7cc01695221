import type { AgentEntry } from '@holdword/client';
import { startWebServer, type WebServer } from '@holdword/client/testing';
import type { AgentCard } from '@holdword/protocol';
import { buildAgentCard, type CardEndpoint } from '@holdword/protocol/internal';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startAgent } from '../../support/start-agent.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { openSession } from './open-session.ts';
import { cardFor, portOf, startCardServer, WIRES } from './start-card-server.ts';

/** Starts a server that records requests and answers none of them usefully. */
function startTrap(): Promise<WebServer> {
  return startWebServer((_request, response) => response.writeHead(500).end());
}

const toPrivate = async () => [{ address: '10.0.0.1', family: 4 }];
const toLoopback = async () => [{ address: '127.0.0.1', family: 4 }];

function cardOf(...endpoints: CardEndpoint[]): AgentCard {
  return buildAgentCard({ name: 'n', description: 'd', endpoints });
}

function withKey(entry: AgentEntry): AgentEntry {
  return { ...entry, custom_headers: { Authorization: 'Bearer ${AGENT_KEY}' } };
}

describe('credentials', () => {
  watchForLeaks();
  let agent: TestAgent;
  let key: string;
  beforeAll(async () => {
    agent = await startAgent({ apiKeys: true });
    key = await agent.addKey('client');
  });
  afterAll(() => agent.close());

  const open = (entry: AgentEntry) => openSession(entry, { agents: { environment: { AGENT_KEY: key } } });

  test('are sent to the origin that the user configured', async () => {
    const session = open(withKey({ url: agent.target.baseUrl }));
    expect(await session.sendMessage('agent', 'complete')).toMatchObject({ status: { state: 'completed' } });
  });

  test.each(WIRES)('are not sent to another origin in the card, $binding $version', async (wire) => {
    const url = await startCardServer(await cardFor(agent, wire));
    await expect(open(withKey({ url })).sendMessage('agent', 'complete')).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    const scheme = 'http://127.0.0.1:';
    const trusted = withKey({ url, trusted_origins: [`${scheme}${portOf(agent, wire.binding)}`] });
    expect(await open(trusted).sendMessage('agent', 'complete')).toMatchObject({
      status: { state: 'completed' },
    });
  });

  test('make a trusted interface preferred over an untrusted one', async () => {
    const trap = await startTrap();
    const elsewhere = { binding: 'JSONRPC' as const, url: `${trap.origin}/rpc` };
    const here = { binding: 'HTTP+JSON' as const, url: agent.target.restUrl };
    const url = await startCardServer(cardOf(elsewhere, here));
    const session = open(withKey({ url, trusted_origins: [agent.target.baseUrl] }));
    expect(await session.sendMessage('agent', 'complete')).toMatchObject({ status: { state: 'completed' } });
    expect(trap.requests).toHaveLength(0);
  });

  test('are omitted for an untrusted interface, even if it is the only one', async () => {
    const trap = await startTrap();
    const elsewhere = { binding: 'JSONRPC' as const, url: `${trap.origin}/rpc` };
    const session = open(withKey({ url: await startCardServer(cardOf(elsewhere)) }));
    await expect(session.sendMessage('agent', 'complete', { timeout: 1 })).rejects.toThrow();
    expect(trap.requests.length).toBeGreaterThan(0);
    expect(trap.requests.map(({ headers }) => headers.authorization)).toEqual(
      trap.requests.map(() => undefined),
    );
  });
});

describe('addresses', () => {
  watchForLeaks();

  test.each([
    ['JSONRPC', 'http://10.255.255.1/rpc'],
    ['HTTP+JSON', 'https://169.254.169.254/latest'],
    ['GRPC', '192.168.255.1:50051'],
    ['JSONRPC', 'https://agents.intranet.example/rpc'],
  ] as const)(
    "a card cannot point a client into the client's own network, %s %s",
    async (binding, address) => {
      const url = await startCardServer(cardOf({ binding, url: address }));
      const session = openSession(url, { agents: { resolve: toPrivate } });
      const failure = await session.sendMessage('agent', 'hello').catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: 'PERMISSION_DENIED' });
      expect(String(failure)).not.toMatch(/10\.255|169\.254|192\.168|intranet/);
    },
  );

  test('hosts that the user allows can be called', async () => {
    const agent = await startAgent();
    onTestFinished(() => agent.close());
    const card = cardOf({ binding: 'JSONRPC', url: agent.target.jsonRpcUrl });
    const url = (await startCardServer(card)).replace('127.0.0.1', 'agents.example');
    const refused = openSession(url, { agents: { resolve: toLoopback } });
    await expect(refused.sendMessage('agent', 'complete')).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    const session = openSession(url, { agents: { resolve: toLoopback, allow: ['127.0.0.0/8'] } });
    expect(await session.sendMessage('agent', 'complete')).toMatchObject({ status: { state: 'completed' } });
  });

  test('this machine can be called by any of its names, with credentials', async () => {
    const agent = await startAgent({ apiKeys: true });
    onTestFinished(() => agent.close());
    const url = agent.target.baseUrl.replace('127.0.0.1', 'localhost');
    const custom_headers = { Authorization: `Bearer ${await agent.addKey('client')}` };
    const session = openSession({ url, custom_headers }, { agents: { resolve: toLoopback } });
    expect(await session.sendMessage('agent', 'complete')).toMatchObject({ status: { state: 'completed' } });
  });
});

test('the next interface of the card is used if one cannot be reached', async () => {
  const agent = await startAgent();
  onTestFinished(() => agent.close());
  const url = await startCardServer(
    cardOf(
      { binding: 'GRPC', url: '127.0.0.1:1025', versions: ['1.0'] },
      { binding: 'JSONRPC', url: 'http://127.0.0.1:1025/rpc', versions: ['1.0'] },
      { binding: 'JSONRPC', url: 'http://intranet.local/rpc', versions: ['1.0'] },
      { binding: 'HTTP+JSON', url: `${agent.target.baseUrl}/nothing-here`, versions: ['1.0'] },
      { binding: 'HTTP+JSON', url: agent.target.restUrl, versions: ['0.3'] },
    ),
  );
  const session = openSession(url);
  expect(await session.sendMessage('agent', 'complete')).toMatchObject({ status: { state: 'completed' } });
  const { peer } = await session.agents.connect('agent');
  expect(peer).toMatchObject({ binding: 'HTTP+JSON', version: '0.3' });
});
