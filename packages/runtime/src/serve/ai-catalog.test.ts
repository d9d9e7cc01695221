import { openMemoryStore } from '@holdword/store';
import { expect, it, onTestFinished } from 'vitest';
import { startRuntime } from '../runtime.ts';
import { serveRuntime, type ServedAgent, type ServeRuntimeOptions } from './serve-runtime.ts';

async function serve(options: Partial<ServeRuntimeOptions> = {}): Promise<ServedAgent> {
  const card = {
    name: 'Sums',
    description: 'Adds.',
    skills: [{ id: 'add', name: 'Add', description: 'Adds.', tags: ['math', 'sum'] }],
  };
  const executor = { card, execute: async () => {} };
  const runtime = await startRuntime({ store: openMemoryStore(), executor });
  onTestFinished(() => runtime.stop({ graceMilliseconds: 0 }));
  const served = await serveRuntime({ runtime, port: 0, ...options });
  onTestFinished(() => served.close({ graceMilliseconds: 0 }));
  return served;
}

it('leads from the host to the agent, for everybody', async () => {
  const { url, cardUrl } = await serve();
  const response = await fetch(`${url}/.well-known/ai-catalog.json`, {
    headers: { Origin: 'https://any.example' },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/ai-catalog+json');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('etag')).not.toBeNull();
  const catalog = (await response.json()) as { entries: { url: string }[] };
  expect(catalog).toEqual({
    specVersion: '1.0',
    host: { displayName: '127.0.0.1' },
    entries: [
      {
        identifier: `urn:air:127.0.0.1:${new URL(url).port}:a2a:agent`,
        type: 'application/a2a-agent-card+json',
        url: cardUrl,
        tags: ['math', 'sum'],
      },
    ],
  });
  const card = await fetch(catalog.entries[0]?.url ?? '', { headers: { 'A2A-Version': '1.0' } });
  expect(await card.json()).toMatchObject({ name: 'Sums' });
});

it('names an agent below a path, and what else the server offers, by its public URL', async () => {
  const { port } = await serve({
    publicUrl: 'https://agents.example/team/sums',
    catalog: (url) => [{ name: 'mcp:tools', type: 'application/mcp-server-card+json', url: `${url}/mcp` }],
  });
  const path = '/team/sums/.well-known/ai-catalog.json';
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  expect(await response.json()).toMatchObject({
    host: { displayName: 'agents.example' },
    entries: [
      {
        identifier: 'urn:air:agents.example:team:sums:a2a:agent',
        url: 'https://agents.example/team/sums/.well-known/agent-card.json',
      },
      {
        identifier: 'urn:air:agents.example:team:sums:mcp:tools',
        url: 'https://agents.example/team/sums/mcp',
      },
    ],
  });
});
