import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_HUB_SETTINGS } from '@holdword/hub';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { urlOf } from '../testing/talk.ts';
import { testConfig } from '../testing/test-config.ts';
import { hubSettings } from './embedded-hub.ts';

test('settings that are not given have the defaults of the hub, which decides about registration', async () => {
  const { openRegistration: _decided, ...defaults } = DEFAULT_HUB_SETTINGS;
  expect(await hubSettings(testConfig())).toEqual(defaults);
  const hubOptions = { idleSeconds: 60, publicStatus: false, openRegistration: false };
  expect(await hubSettings(testConfig({ hubOptions }))).toEqual({ ...defaults, ...hubOptions });
});

test('the token for alarms is read from its file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-hub-settings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tokenFile = join(folder, 'token');
  const alarms = { url: 'https://alarms.example', tokenFile };
  await expect(hubSettings(testConfig({ hubOptions: { alarms } }))).rejects.toThrow(
    /Cannot read the token file .*token \(hubOptions\.alarms\.tokenFile\): it does not exist\./,
  );
  await writeFile(tokenFile, 'secret\n');
  expect(await hubSettings(testConfig({ hubOptions: { alarms } }))).toMatchObject({
    alarms: { url: 'https://alarms.example', token: 'secret' },
  });
});

test('pages of the configured origins may call the hub, and its MCP endpoint refuses them still', async () => {
  const page = 'https://app.example';
  const folder = await makeHoldwordFolder();
  const config = { hub: true, store: 'memory', cors: { origins: [page] } };
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify(config));
  const url = await urlOf(folder.serve());

  const preflight = await fetch(`${url}/v1/a2a`, {
    method: 'OPTIONS',
    headers: { Origin: page, 'Access-Control-Request-Method': 'POST' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('x-delx-agent-token');

  const headers = { Origin: page, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'methods/list', params: {} });
  const answer = await fetch(`${url}/v1/a2a`, { method: 'POST', headers, body });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, page]);
  const documents = await fetch(`${url}/openapi.json`);
  expect(documents.headers.get('vary')).toBe('Origin');
  expect((await fetch(`${url}/v1/mcp`, { method: 'POST', headers, body })).status).toBe(403);
});

test('the catalog of the server has its agent and the MCP server of its hub', async () => {
  const folder = await makeHoldwordFolder();
  const url = await urlOf(folder.serve('--hub', '--store', 'memory'));
  const response = await fetch(`${url}/.well-known/ai-catalog.json`);
  expect(await response.json()).toMatchObject({
    entries: [
      { type: 'application/a2a-agent-card+json', url: `${url}/.well-known/agent-card.json` },
      {
        type: 'application/mcp-server-card+json',
        data: {
          name: 'localhost/holdword-hub',
          remotes: [{ type: 'streamable-http', url: `${url}/v1/mcp` }],
        },
      },
    ],
  });
});
