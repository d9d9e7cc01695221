import { createHub } from '@holdword/hub';
import { noAuthentication, startRuntime } from '@holdword/runtime';
import { demoAgent } from '@holdword/runtime/internal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../support/open-store.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { registerAgent, type HubAgent } from './hub-agents.ts';
import { startHub, type Json, type RunningHub } from './start-hub.ts';

interface RequestSchema {
  title: string;
  properties: { params: { properties: Json } };
}
interface DescribedVerb {
  security?: Json[];
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: { oneOf?: RequestSchema[] } }> };
}
type Paths = Record<string, Record<string, DescribedVerb>>;

watchForLeaks();
let hub: RunningHub;
let agent: HubAgent;
let paths: Paths;
let examples: Record<string, string>;
beforeAll(async () => {
  hub = await startHub({ words: ['--store', 'memory'] });
  agent = await registerAgent(hub, 'controller-01');
  paths = (await hub.get('/openapi.json')).body['paths'] as Paths;
  examples = {
    tool_name: 'reflect',
    session_id: agent.sessionId,
    agent_id: agent.agentId,
    controller_id: agent.agentId,
    handoff_id: 'none',
    alarm_id: 'none',
  };
});
afterAll(() => hub.stop());

/** A path with real values for its path and query parameters. */
function addressOf(path: string, parameters: { name: string; in: string }[] = []): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => exampleOf(name));
  const query = parameters.filter((each) => each.in === 'query' && each.name in examples);
  const asked = query.map(({ name }): [string, string] => [name, exampleOf(name)]);
  return `${filled}${asked.length === 0 ? '' : `?${String(new URLSearchParams(asked))}`}`;
}

function exampleOf(name: string): string {
  const example = examples[name];
  if (example === undefined) throw new Error(`No example for ${name}.`);
  return example;
}

test('every path of the document answers, if it needs no more than an agent', async () => {
  const answered: string[] = [];
  for (const [path, verbs] of Object.entries(paths)) {
    for (const [verb, { parameters, security = [] }] of Object.entries(verbs)) {
      const address = addressOf(path, parameters);
      const method = path === '/v1/mcp' ? 'tools/list' : 'methods/list';
      const response = await fetch(`${hub.url}${address}`, {
        method: verb.toUpperCase(),
        headers: { ...agent.headers, 'Content-Type': 'application/json' },
        ...(verb === 'post' && { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }) }),
      });
      const body: Json = JSON.parse(await response.text());
      const needsCaller = security.some((each) => 'caller' in each);
      if (needsCaller ? response.status !== 401 : response.status !== 200 || 'error' in body) {
        answered.push(`${verb} ${address}: ${response.status} ${JSON.stringify(body).slice(0, 300)}`);
      }
    }
  }
  expect(answered).toEqual([]);
  expect(Object.keys(paths).length).toBeGreaterThan(10);
});

test('every route is in the document, with its HTTP methods', async () => {
  const temporary = await openStore('memory');
  const { store } = temporary;
  const runtime = await startRuntime({ store, executor: demoAgent });
  const inside = createHub({
    store,
    operations: runtime.operations,
    baseUrl: 'http://hub.example',
    authentication: noAuthentication({ allowedHosts: [] }),
  });
  try {
    const served = [
      ...inside.routes.map(({ path, verb }) => `${verb} ${path}`),
      ...inside.mounts.flatMap(({ path, verbs }) => verbs.map((verb) => `${verb} ${path}`)),
    ];
    const written = Object.entries(paths).flatMap(([path, verbs]) =>
      Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
    );
    // JSON-RPC methods are in a separate table; the card aliases exist only if an agent is served.
    const alone = ['POST /v1/a2a', 'GET /.well-known/a2a-agent-card.json', 'GET /.well-known/a2a.json'];
    expect(written.toSorted()).toEqual([...served, ...alone].toSorted());
  } finally {
    await inside.close();
    await runtime.stop({ graceMilliseconds: 0 });
    await temporary.remove();
  }
});

test('every JSON-RPC method is in the document with its parameters', async () => {
  const { body } = await hub.get('/api/v1/a2a/methods');
  const specs = body['method_specs'] as Record<string, { accepts: string[] }>;
  const { content } = paths['/v1/a2a']?.['post']?.requestBody ?? { content: {} };
  const requests = content['application/json']?.schema.oneOf ?? [];
  expect(requests.map(({ title }) => title).toSorted()).toEqual(body['methods']);
  for (const { title, properties } of requests) {
    expect(Object.keys(properties.params.properties)).toEqual(
      expect.arrayContaining(specs[title]?.accepts ?? ['missing']),
    );
  }
});

test('unknown paths and unsupported HTTP methods are rejected', async () => {
  expect((await fetch(`${hub.url}/api/v1/nothing`)).status).toBe(404);
  expect((await fetch(`${hub.url}/api/v1/tools`, { method: 'POST' })).status).toBe(405);
  expect((await fetch(`${hub.url}/v1/a2a`)).status).toBe(405);
  expect((await fetch(`${hub.url}/v1/mcp`)).status).toBe(405);
  expect((await hub.get('/api/v1/tools/none')).status).toBe(404);
});
