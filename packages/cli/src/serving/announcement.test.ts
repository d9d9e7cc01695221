import { expect, test } from 'vitest';
import { renderAnnouncement, type Announcement } from './announcement.ts';

const plain = { style: (_format: unknown, text: string) => text };

const ANNOUNCEMENT: Announcement = {
  agentName: 'Demo',
  cardUrl: 'http://127.0.0.1:4310/.well-known/agent-card.json',
  jsonRpcUrl: 'http://127.0.0.1:4310/a2a/jsonrpc',
  restUrl: 'http://127.0.0.1:4310/a2a/rest',
  grpcAddress: '127.0.0.1:4311',
  data: 'data folder (sqlite)',
  sampleText: 'hello',
  authenticated: false,
  addKeyCommand: 'holdword keys add NAME --data data',
};

test('shows every address', () => {
  expect(renderAnnouncement(ANNOUNCEMENT, plain).split('\n').slice(0, 8)).toEqual([
    'Demo is ready.',
    '',
    '  card      http://127.0.0.1:4310/.well-known/agent-card.json',
    '  JSON-RPC  http://127.0.0.1:4310/a2a/jsonrpc',
    '  REST      http://127.0.0.1:4310/a2a/rest',
    '  gRPC      127.0.0.1:4311',
    '  data      data folder (sqlite)',
    '  access    localhost only, no authentication',
  ]);
});

test('with a hub, shows its endpoints and how to register', () => {
  const hub = {
    a2a_endpoint: 'http://127.0.0.1:4310/v1/a2a',
    mcp_endpoint: 'http://127.0.0.1:4310/v1/mcp',
  };
  const text = renderAnnouncement({ ...ANNOUNCEMENT, hub, authenticated: true }, plain);
  expect(text).toContain(
    '  hub       http://127.0.0.1:4310/v1/a2a\n  MCP       http://127.0.0.1:4310/v1/mcp\n',
  );
  expect(text).toContain(
    `curl -s http://127.0.0.1:4310/v1/a2a -H 'Content-Type: application/json' -H "Authorization: Bearer $HOLDWORD_KEY" ` +
      `-d '{"jsonrpc":"2.0","id":1,"method":"agents/register","params":{"agent_id":"runner-01"}}'`,
  );
});

test('shows the console, as a link that signs in unless credentials are required', () => {
  expect(renderAnnouncement(ANNOUNCEMENT, plain)).not.toContain('console');
  const url = 'http://127.0.0.1:4310/console/';
  const open = renderAnnouncement({ ...ANNOUNCEMENT, console: `${url}#link=abc` }, plain);
  expect(open).toContain(`Open the console (this link works once):\n  ${url}#link=abc\n\nPress Ctrl-C`);
  expect(renderAnnouncement({ ...ANNOUNCEMENT, console: url, authenticated: true }, plain)).toContain(
    `sign in with an API key or a token:\n  ${url}\n`,
  );
});

test('the curl line sends the sample text', () => {
  expect(renderAnnouncement(ANNOUNCEMENT, plain)).toContain('"parts":[{"text":"hello"}]');
});

test('the curl line sends a key only if one is required', () => {
  expect(renderAnnouncement(ANNOUNCEMENT, plain)).not.toContain('Authorization');
  expect(renderAnnouncement({ ...ANNOUNCEMENT, authenticated: true }, plain)).toContain(
    '-H "Authorization: Bearer $HOLDWORD_KEY"',
  );
  expect(renderAnnouncement({ ...ANNOUNCEMENT, authenticated: true }, plain)).toContain(
    'Try it, with an API key in HOLDWORD_KEY (create one with: holdword keys add NAME --data data) or a token:\n',
  );
});

test('warns that a public address without authentication is open to anyone', () => {
  const open = { ...ANNOUNCEMENT, publicUrl: 'https://agent.example' };
  expect(renderAnnouncement(open, plain)).toContain(
    'anyone who can reach https://agent.example, no authentication; to require API keys, run: holdword keys add NAME --data data',
  );
  const guarded = renderAnnouncement({ ...open, authenticated: true }, plain);
  expect(guarded).toContain('authentication required');
  expect(guarded).not.toContain('anyone');
});
