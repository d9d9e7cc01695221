import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isModulePath, resolveConfig } from './resolve-config.ts';

let workingFolder: string;

beforeEach(async () => {
  workingFolder = await mkdtemp(join(tmpdir(), 'holdword-settings-'));
});

afterEach(() => rm(workingFolder, { recursive: true }));

const write = (name: string, content: string) => writeFile(join(workingFolder, name), content);

test('options win over the environment, the environment over the file', async () => {
  await write(
    'holdword.config.json',
    '{ "port": 1, "grpcPort": 2, "host": "::1", "limits": { "queuedTurns": 7 } }',
  );
  const config = await resolveConfig({
    options: { port: '11' },
    environment: { HOLDWORD_PORT: '10', HOLDWORD_GRPC_PORT: 'off', HOLDWORD_STORE: '' },
    workingFolder,
  });
  expect(config).toEqual({ port: 11, grpcPort: 'off', host: '::1', limits: { queuedTurns: 7 } });
});

test('a switch is true if given, and is true or false in the environment', async () => {
  const environment = { HOLDWORD_HUB: 'false' };
  expect(await resolveConfig({ options: { hub: 'true' }, environment, workingFolder })).toEqual({
    hub: true,
  });
  expect(await resolveConfig({ options: {}, environment, workingFolder })).toEqual({ hub: false });
  const wrong = { HOLDWORD_HUB: 'on' };
  await expect(resolveConfig({ options: {}, environment: wrong, workingFolder })).rejects.toThrow(
    'HOLDWORD_HUB: expected true or false, found "on".',
  );
});

test('DATABASE_URL applies if nothing else names a store', async () => {
  const other = { DATABASE_URL: 'mysql://host/other' };
  expect(await resolveConfig({ options: {}, environment: other, workingFolder })).toEqual({});
  const environment = { DATABASE_URL: 'postgres://host/db' };
  expect(await resolveConfig({ options: {}, environment, workingFolder })).toEqual({
    store: 'postgres://host/db',
  });
  expect(await resolveConfig({ options: { store: 'memory' }, environment, workingFolder })).toEqual({
    store: 'memory',
  });
  await write('holdword.config.json', '{ "store": "postgresql://file/db", "storeSchema": "mine" }');
  expect(await resolveConfig({ options: {}, environment, workingFolder })).toEqual({
    store: 'postgresql://file/db',
    storeSchema: 'mine',
  });
});

test('the default file may be missing, but a named file must exist', async () => {
  await expect(resolveConfig({ options: {}, environment: {}, workingFolder })).resolves.toEqual({});
  await expect(
    resolveConfig({ options: { config: 'other.json' }, environment: {}, workingFolder }),
  ).rejects.toThrow('it does not exist');
});

test('paths are relative to the file or working folder that they come from', async () => {
  await mkdir(join(workingFolder, 'etc'));
  await write(
    'etc/mine.json',
    '{ "data": "db", "agent": "./agent.ts", "card": { "signingKeyFile": "key.json" }, ' +
      '"authentication": { "jwt": { "issuer": "i", "audience": "a", "jwksFile": "jwks.json" } } }',
  );
  const config = await resolveConfig({
    options: { config: 'etc/mine.json' },
    environment: { HOLDWORD_DATA: 'elsewhere' },
    workingFolder,
  });
  expect(config.data).toBe(join(workingFolder, 'elsewhere'));
  expect(config.agent).toBe(join(workingFolder, 'etc', 'agent.ts'));
  expect(config.card?.signingKeyFile).toBe(join(workingFolder, 'etc', 'key.json'));
  expect(config.authentication?.jwt?.jwksFile).toBe(join(workingFolder, 'etc', 'jwks.json'));
});

test.each([
  [{ port: 'abc' }, {}, '--port: expected a port number from 0 to 65535, found "abc".'],
  [{ 'grpc-port': 'on' }, {}, '--grpc-port: expected a port number from 0 to 65535 or "off", found "on".'],
  [
    {},
    { HOLDWORD_STORE: 'mysql' },
    'HOLDWORD_STORE: expected sqlite, json-file, memory or a URL such as postgres://',
  ],
  [{ store: 'postgre://ada:secret@host/db' }, {}, 'found "postgre://***@host/db".'],
  [{}, { DATABASE_URL: 'postgres://host/db?schema=mine' }, 'DATABASE_URL: expected a URL without a schema'],
  [
    { 'public-grpc-address': 'agent.example.org' },
    {},
    '--public-grpc-address: expected an address of the form host:port',
  ],
  [
    { 'public-url': 'https://agent.example.org/?a=1' },
    {},
    '--public-url: expected a URL without query and fragment, found "https://agent.example.org/?a=1".',
  ],
  [{ 'public-url': 'https://x/#top' }, {}, '--public-url: expected a URL without query and fragment'],
  [{ 'public-url': 'ftp://x' }, {}, '--public-url: expected an http:// or https:// URL'],
])('%j %j is rejected', async (options, environment, message) => {
  await expect(resolveConfig({ options, environment, workingFolder })).rejects.toThrow(message);
});

test('a built-in name is not a path', () => {
  expect(['demo', 'my-agent'].map(isModulePath)).toEqual([false, false]);
  expect(['./a', '../a.ts', 'agents/a', 'a.ts', 'a.mjs', '/a'].map(isModulePath)).toEqual(
    Array(6).fill(true),
  );
});
