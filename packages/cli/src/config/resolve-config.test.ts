import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadAllCommands } from '../commands/all-commands.ts';
import { MCP_TOKEN } from '../commands/mcp-options.ts';
import { NO_TERMINAL } from '../testing/test-config.ts';
import { isModulePath, type Config, type GivenConfig } from './config-schema.ts';
import { completeConfig, resolveConfig, type ConfigSource } from './resolve-config.ts';

let workingFolder: string;

beforeEach(async () => {
  workingFolder = await mkdtemp(join(tmpdir(), 'holdword-settings-'));
});

afterEach(() => rm(workingFolder, { recursive: true }));

function resolved(source: Partial<ConfigSource> = {}, ownDefaults?: GivenConfig): Promise<Config> {
  return resolveConfig(
    { options: {}, environment: {}, workingFolder, terminal: NO_TERMINAL, ...source },
    ownDefaults,
  );
}

/** The defaults, apart from what is given. */
function defaultsWith(given: GivenConfig): Config {
  return completeConfig(given, { environment: {}, workingFolder, terminal: NO_TERMINAL });
}

const at = (name: string) => join(workingFolder, name);
const write = (name: string, content: string) => writeFile(join(workingFolder, name), content);

test('options win over the environment, the environment over the file', async () => {
  await write(
    'holdword.config.json',
    '{ "port": 1, "grpcPort": 2, "host": "::1", "limits": { "queuedTurns": 7 } }',
  );
  const config = await resolved({
    options: { port: '11' },
    environment: { HOLDWORD_PORT: '10', HOLDWORD_GRPC_PORT: 'off', HOLDWORD_STORE: '' },
  });
  expect(config).toEqual(
    defaultsWith({ port: 11, grpcPort: 'off', host: '::1', limits: { queuedTurns: 7 } }),
  );
  expect(config).toMatchObject({ port: 11, host: '::1', limits: { queuedTurns: 7, concurrentTurns: 100 } });
});

test('a switch is true if given, and is true or false in the environment', async () => {
  const environment = { HOLDWORD_HUB: 'false' };
  expect((await resolved({ options: { hub: 'true' }, environment })).hub).toBe(true);
  expect((await resolved({ environment })).hub).toBe(false);
  const wrong = { HOLDWORD_HUB: 'on' };
  await expect(resolved({ environment: wrong })).rejects.toThrow(
    'HOLDWORD_HUB: expected true or false, found "on".',
  );
});

test('a setting inside an object has an option too, and leaves the others of the file', async () => {
  await write('holdword.config.json', '{ "card": { "name": "File", "description": "Of the file." } }');
  const environment = { HOLDWORD_CARD_NAME: 'Variable' };
  expect((await resolved()).card).toEqual({ name: 'File', description: 'Of the file.' });
  expect((await resolved({ environment })).card).toEqual({ name: 'Variable', description: 'Of the file.' });
  expect((await resolved({ environment, options: { 'card-name': 'Option' } })).card.name).toBe('Option');
});

test('DATABASE_URL applies if nothing else names a store', async () => {
  const storeWith = async (environment: Record<string, string>, options = {}) =>
    (await resolved({ options, environment })).store;
  expect(await storeWith({})).toBe('sqlite');
  expect(await storeWith({ DATABASE_URL: 'mysql://host/other' })).toBe('sqlite');
  const environment = { DATABASE_URL: 'postgres://host/db' };
  expect(await storeWith(environment)).toBe('postgres://host/db');
  expect(await storeWith(environment, { store: 'memory' })).toBe('memory');
  await write('holdword.config.json', '{ "store": "postgresql://file/db", "storeSchema": "mine" }');
  expect(await resolved({ environment })).toMatchObject({
    store: 'postgresql://file/db',
    storeSchema: 'mine',
  });
});

test('the default file may be missing, but a named file must exist', async () => {
  await expect(resolved()).resolves.toEqual(defaultsWith({}));
  await expect(resolved({ options: { config: 'other.json' } })).rejects.toThrow('it does not exist');
});

test('paths are relative to the file or working folder that they come from', async () => {
  await mkdir(join(workingFolder, 'etc'));
  await write(
    'etc/mine.json',
    '{ "data": "db", "agent": "./agent.ts", "card": { "signingKeyFile": "key.json" }, ' +
      '"authentication": { "jwt": { "issuer": "i", "audience": "a", "jwksFile": "jwks.json" } } }',
  );
  const config = await resolved({
    options: { config: 'etc/mine.json' },
    environment: { HOLDWORD_DATA: 'elsewhere' },
  });
  expect(config.data).toBe(join(workingFolder, 'elsewhere'));
  expect(config.agent).toBe(join(workingFolder, 'etc', 'agent.ts'));
  expect(config.card.signingKeyFile).toBe(join(workingFolder, 'etc', 'key.json'));
  expect(config.authentication.jwt?.jwksFile).toBe(join(workingFolder, 'etc', 'jwks.json'));
});

test('every path in the schema is made absolute, in the hub, in agents and by default as well', async () => {
  await write(
    'holdword.config.json',
    JSON.stringify({
      audit: { file: 'audit.log' },
      push: { signingKeyFile: 'push.json' },
      hubOptions: { alarms: { url: 'https://alarms.example', tokenFile: 'token' } },
      agentOptions: { exec: { workingDirectory: 'work', command: 'bin/run' }, openai: { model: './m' } },
    }),
  );
  expect(await resolved({ options: { agent: 'exec:bin/run x.ts' } })).toMatchObject({
    data: at('.holdword'),
    agent: 'exec:bin/run x.ts',
    audit: { file: at('audit.log') },
    push: { signingKeyFile: at('push.json') },
    hubOptions: { alarms: { url: 'https://alarms.example', tokenFile: at('token') } },
    agentOptions: { exec: { workingDirectory: at('work'), command: 'bin/run' }, openai: { model: './m' } },
  });
});

test('defaults depend on other settings, the terminal and the command', async () => {
  const grpcPortOf = async (port: string) => (await resolved({ options: { port } })).grpcPort;
  expect(await Promise.all(['8080', '0', '65535'].map(grpcPortOf))).toEqual([8081, 0, 0]);
  expect((await resolved()).logFormat).toBe('json');
  expect((await resolved({ terminal: { ...NO_TERMINAL, errorsAreWatched: true } })).logFormat).toBe('text');
  const own = { agent: 'responder', grpcPort: 'off' } as const;
  expect(await resolved({}, own)).toMatchObject(own);
  expect(await resolved({ options: { 'grpc-port': '5' } }, own)).toMatchObject({ ...own, grpcPort: 5 });
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
  await expect(resolved({ options, environment })).rejects.toThrow(message);
});

test('a built-in name is not a path', () => {
  expect(['demo', 'my-agent'].map(isModulePath)).toEqual([false, false]);
  expect(['./a', '../a.ts', 'agents/a', 'a.ts', 'a.mjs', '/a'].map(isModulePath)).toEqual(
    Array(6).fill(true),
  );
});

async function variablesOfCommands(): Promise<Record<string, string>> {
  const options = (await loadAllCommands()).flatMap((command) => Object.values(command.options));
  const names = options.flatMap(({ environment }) => environment ?? []);
  // Empty, they set nothing.
  return Object.fromEntries([...names, MCP_TOKEN].map((name) => [name, '']));
}

test('a variable that is probably misspelled is reported, others are not', async () => {
  const printed: string[] = [];
  const terminal = { ...NO_TERMINAL, error: (text: string) => void printed.push(text) };
  const environment = {
    ...(await variablesOfCommands()),
    HOLDWORD_PROT: '1',
    HOLDWORD_KEY: 'k',
    HOLDWORD_PORT: '2',
    HOLDWORD_SOMETHING_ELSE: 'x',
  };
  expect((await resolved({ environment, terminal })).port).toBe(2);
  expect(printed).toEqual([
    'holdword: The environment variable HOLDWORD_PROT is unknown. Did you mean HOLDWORD_PORT?\n',
  ]);
});
