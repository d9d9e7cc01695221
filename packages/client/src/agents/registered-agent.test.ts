import type { AgentCard } from '@holdword/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startWebServer, type WebServer } from '../testing/start-web-server.ts';
import { RegisteredAgent, type RegisteredAgentOptions } from './registered-agent.ts';

const TASK = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' } };
const LIMITS = {
  cardTimeoutMilliseconds: 5_000,
  cardMaxAgeMilliseconds: 60_000,
  callTimeoutMilliseconds: 5_000,
  maxResponseBytes: 100_000,
};

/** Starts an agent that has a card and answers GetTask over JSON-RPC and REST. */
async function startAgent(interfaces: AgentCard['supportedInterfaces'] = []): Promise<WebServer> {
  const server = await startWebServer((request, response) => {
    const { origin } = server;
    const own = [
      { url: `${origin}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { url: `${origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ];
    const supportedInterfaces = interfaces.length === 0 ? own : interfaces;
    const answers: Record<string, unknown> = {
      '/card.json': { name: 'n', supportedInterfaces },
      '/rpc': { jsonrpc: '2.0', id: 1, result: TASK },
    };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(answers[request.url ?? ''] ?? TASK));
  });
  return server;
}

function open(url: string, options: Partial<RegisteredAgentOptions> = {}): RegisteredAgent {
  const agent = new RegisteredAgent({
    entry: { url },
    limits: LIMITS,
    allow: [],
    environment: {},
    cardUrls: [`${url}/card.json`],
    ...options,
  });
  onTestFinished(() => agent.close());
  return agent;
}

describe('bindings', () => {
  test.each([
    [[], '/rest/tasks/t-1'],
    [['JSONRPC'], '/rpc'],
    [['GRPC', 'HTTP+JSON'], '/rest/tasks/t-1'],
  ] as const)('with the preference %j, calls %s', async (preferredBindings, path) => {
    const { origin, requests } = await startAgent();
    const { peer } = await open(origin, { preferredBindings }).connect();
    await peer.get({ id: 't-1' });
    expect(requests.map(({ url }) => url)).toEqual(['/card.json', path]);
  });
});

describe('headers', () => {
  test('are read before each request and sent together with per-request headers', async () => {
    const { origin, requests } = await startAgent();
    let count = 0;
    const agent = open(origin, {
      headers: async () => ({ 'X-Count': String((count += 1)), 'X-Own': 'own' }),
    });
    const { peer } = await agent.connect();
    await peer.get({ id: 't-1' }, { headers: { 'X-Call': 'call', 'X-Own': 'of the call' } });
    expect(requests.map(({ headers }) => [headers['x-count'], headers['x-own'], headers['x-call']])).toEqual([
      ['1', 'own', undefined],
      ['2', 'of the call', 'call'],
    ]);
  });

  test('of a request are not sent to an origin that only the card names', async () => {
    const elsewhere = await startAgent();
    const { origin } = await startAgent([
      { url: `${elsewhere.origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ]);
    const { peer } = await open(origin).connect();
    await peer.get({ id: 't-1' }, { headers: { 'X-Call': 'secret' } });
    expect(elsewhere.requests).toHaveLength(1);
    expect(elsewhere.requests[0]?.headers['x-call']).toBeUndefined();
  });
});

test('an untrusted URL on this machine is not called', async () => {
  const { origin, requests } = await startAgent();
  await expect(open(origin, { trustsUrl: false }).connect()).rejects.toMatchObject({
    code: 'FORBIDDEN_URL',
  });
  expect(requests).toEqual([]);
});

/** Starts an agent whose card names another port of its host, where a service of this machine listens. */
async function startNamedAgent(addresses: string[]): Promise<{
  agent: RegisteredAgent;
  service: WebServer;
  resolved: () => number;
}> {
  const service = await startAgent();
  const { port } = new URL(service.origin);
  const { origin } = await startAgent([
    {
      url: `http://agent.example:${port}/internal`,
      protocolBinding: 'HTTP+JSON',
      protocolVersion: '1.0',
    },
  ]);
  let resolved = 0;
  const agent = open(origin.replace('127.0.0.1', 'agent.example'), {
    resolve: async () => {
      const address = addresses[Math.min(resolved, addresses.length - 1)] ?? '';
      resolved += 1;
      return [{ address, family: 4 }];
    },
  });
  return { agent, service, resolved: () => resolved };
}

describe('an agent with a name', () => {
  test('may use other ports of the machine where it has answered', async () => {
    const { agent, service } = await startNamedAgent(['127.0.0.1']);
    const { peer } = await agent.connect();
    await expect(peer.get({ id: 't-1' })).resolves.toMatchObject({ id: 't-1' });
    expect(service.requests).toHaveLength(1);
  });

  test('does not lead to other machines by resolving its name anew', async () => {
    const { agent, service, resolved } = await startNamedAgent(['127.0.0.1', '127.0.0.2']);
    const { peer } = await agent.connect();
    await expect(peer.get({ id: 't-1' })).rejects.toMatchObject({ code: 'FORBIDDEN_URL' });
    expect(resolved()).toBe(2);
    expect(service.requests).toEqual([]);
  });
});

test('returns when the card was last confirmed', async () => {
  const before = Date.now();
  const { origin } = await startAgent();
  const { confirmedAt } = await open(origin).connect();
  expect(confirmedAt).toBeGreaterThanOrEqual(before);
  expect(confirmedAt).toBeLessThanOrEqual(Date.now());
});
