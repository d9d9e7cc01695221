import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { noopLog } from '@holdword/runtime/internal';
import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import type { GivenConfig } from '../config/config-schema.ts';
import { send, urlOf } from '../testing/talk.ts';
import { testConfig } from '../testing/test-config.ts';
import { addKeyAdvice, addKeyCommand, chooseAuthentication } from './authentication.ts';

test.each([
  ['does not exist', undefined, 'it does not exist.'],
  ['is not JSON', '-----BEGIN PUBLIC KEY-----', 'it is not valid JSON.'],
  ['is something else', '{ "kty": "EC" }', 'it is not a JSON Web Key Set.'],
])('a key set that %s is named', async (_case, content, reason) => {
  const jwksFile = join((await makeHoldwordFolder()).path, 'keys.json');
  if (content !== undefined) await writeFile(jwksFile, content);
  const jwt = { issuer: 'https://id.example.org/', audience: 'agent', jwksFile };
  await expect(
    chooseAuthentication(testConfig({ authentication: { jwt } }), openMemoryStore(), noopLog),
  ).rejects.toMatchObject({
    name: 'UsageError',
    message: `Cannot read the JSON Web Key Set ${jwksFile} (authentication.jwt.jwksFile): ${reason}`,
  });
});

test.each([
  ['http://id.example.org/keys', 1],
  ['https://id.example.org/keys', 0],
  ['http://127.0.0.1:4/keys', 0],
  ['http://localhost:4/keys', 0],
])('keys from %s are worth %i warnings', async (jwksUrl, count) => {
  const lines: string[] = [];
  const log = { ...noopLog, warn: (message: string) => void lines.push(message) };
  const jwt = { issuer: 'https://id.example.org/', audience: 'agent', jwksUrl };
  await chooseAuthentication(testConfig({ authentication: { jwt } }), openMemoryStore(), log);
  expect(lines.filter((line) => line.includes('over plain HTTP'))).toHaveLength(count);
});

test.each<[GivenConfig, string]>([
  [{}, 'create an API key and restart: holdword keys add NAME'],
  [{ data: '/home/.holdword' }, 'create an API key and restart: holdword keys add NAME'],
  [{ data: '/srv/data' }, 'holdword keys add NAME --data /srv/data'],
  [{ data: "/srv/Ada's data" }, `holdword keys add NAME --data '/srv/Ada'\\''s data'`],
  [{ store: 'json-file' }, 'holdword keys add NAME --store json-file'],
  [
    { store: 'postgres://ada@db/holdword', storeSchema: 'a2a', data: '/srv/data' },
    'holdword keys add NAME --store postgres://ada@db/holdword --store-schema a2a',
  ],
  [{ store: 'postgres://ada:secret@db/holdword' }, 'holdword keys add NAME --store URL'],
  [{ store: 'memory' }, 'in a persistent store: --store memory does not keep keys.'],
  [{ authentication: { apiKeys: false } }, 'enable API keys: the configuration sets "apiKeys" to false.'],
])('the advice for %j', (given, advice) => {
  const config = testConfig(given);
  expect(addKeyAdvice(config, addKeyCommand(config, testConfig())).slice(-advice.length)).toBe(advice);
});

test('the command names a store that is not the default here', () => {
  const defaults = testConfig({ store: 'postgres://host/db' });
  expect(addKeyCommand(testConfig(), defaults)).toBe('holdword keys add NAME --store sqlite');
  expect(addKeyCommand(defaults, defaults)).toBe('holdword keys add NAME');
});

/** A part of a token. */
function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

test('an issuer whose keys cannot be fetched is logged once, and the server is not ready from the start', async () => {
  const folder = await makeHoldwordFolder();
  const jwt = { issuer: 'https://id.example', audience: 'agent', jwksUrl: 'http://127.0.0.1:4/keys' };
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify({ authentication: { jwt } }));
  const holdword = folder.serve();
  const url = await urlOf(holdword);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  // The keys are fetched before the signature is looked at.
  const key = `${encoded({ alg: 'ES256', kid: 'one' })}.${encoded({ sub: 'ada' })}.c2lnbmF0dXJl`;
  for (let request = 0; request < 3; request += 1)
    expect((await send(url, 'echo x', { key })).status).toBe(503);
  const { checks } = (await (await fetch(`${url}/readyz`)).json()) as { checks: Record<string, unknown> };
  expect(checks['authentication']).toEqual({
    ok: false,
    detail: 'callers cannot be authenticated; the log says why',
  });
  expect(
    holdword.output().match(/The keys of the token issuer could not be fetched\. Requests/g),
  ).toHaveLength(1);
  expect(holdword.output()).toContain('ECONNREFUSED');
});
