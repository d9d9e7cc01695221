import { asObject } from '@holdword/protocol/internal';
import { expect, test } from 'vitest';
import { startTestHub } from '../testing/start-test-hub.ts';
import { HUB_ERROR_CODES } from '../wire/hub-error.ts';

test('the catalog links to the schema of every tool', async () => {
  const hub = await startTestHub();
  const { body } = await hub.get('/api/v1/tools');
  const tools = body['tools'] as { name: string; schema_url: string }[];
  expect(body['count']).toBe(tools.length);
  for (const tool of tools) {
    const { status, body: entry } = await hub.get(new URL(tool.schema_url).pathname);
    expect(status).toBe(200);
    expect(entry).toEqual(tool);
    expect(entry).toMatchObject({ access_mode: 'agent_token', input_schema: { type: 'object' } });
  }
});

test('the error for an unknown tool links to the catalog', async () => {
  const hub = await startTestHub();
  expect(await hub.get('/api/v1/tools/telepathy')).toMatchObject({
    status: 404,
    body: { error: { code: 'tool_not_found', hint: expect.stringContaining('/api/v1/tools') } },
  });
});

test('the contract lists all error codes, headers and limits', async () => {
  const hub = await startTestHub({ settings: { bodyBytes: 2_048 } });
  const { body } = await hub.get('/spec/a2a.json');
  const errors = body['errors'] as { delx_code: string }[];
  expect(errors.map(({ delx_code: code }) => code)).toEqual(Object.keys(HUB_ERROR_CODES));
  expect(body).toMatchObject({
    limits: { body_bytes: 2_048 },
    headers: { session_id: ['x-delx-session-id', 'x-session-id'] },
    methods: expect.arrayContaining(['message/send']),
  });
});

test('the capabilities list methods and tools', async () => {
  const hub = await startTestHub();
  const { body } = await hub.get('/.well-known/delx-capabilities.json');
  const ids = (body['capabilities'] as { id: string; kind: string }[]).map(({ id, kind }) => `${kind} ${id}`);
  expect(ids).toEqual(expect.arrayContaining(['a2a_method handoff/claim', 'mcp_tool reflect']));
});

test('reliability counts calls and errors', async () => {
  const hub = await startTestHub();
  await hub.rpc('methods/list', {});
  await hub.rpc('message/send', { text: 'hello' });
  const { body, headers } = await hub.get('/api/v1/reliability');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(asObject(body['methods'])).toMatchObject({
    'methods/list': { calls: 1, refused: {} },
    'message/send': { calls: 1, refused: { 'DELX-A2A-1005': 1 } },
  });
});
