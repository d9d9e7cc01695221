import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCallSettings } from './call-settings.ts';

let home: string;
let project: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'holdword-settings-'));
  project = join(home, 'project', 'deep');
  await mkdir(project, { recursive: true });
  await mkdir(join(home, '.config', 'a2a-cli'), { recursive: true });
  await writeFile(join(home, '.config', 'a2a-cli', '.env'), 'A2ACLI_OUTPUT=json\nA2ACLI_TIMEOUT=1m\n');
  await writeFile(
    join(home, 'project', '.env'),
    'A2ACLI_TIMEOUT=2m\nA2ACLI_AGENT_CARD=local.example\nA2ACLI_TRANSPORT=grpc, rest\nSECRET=x\n',
  );
  await writeFile(join(home, 'other.env'), 'A2ACLI_AGENT_CARD=other.example\n');
});
afterAll(() => rm(home, { recursive: true }));

function read(
  options: Record<string, string> = {},
  environment: Record<string, string> = {},
  repeated: Record<string, string[]> = {},
) {
  return readCallSettings({
    options,
    repeated,
    environment: { HOME: home, ...environment },
    workingFolder: project,
  });
}

test('an option wins over a variable, that over the nearest file, that over the file of the user', async () => {
  const [file, user] = [join(home, 'project', '.env'), join(home, '.config', 'a2a-cli', '.env')];
  const plain = await read();
  expect(plain.sourced('timeout')).toEqual([{ value: '2m', source: file }]);
  expect(plain.sourced('output')).toEqual([{ value: 'json', source: user }]);
  expect(plain.milliseconds('timeout', 0)).toBe(120_000);
  expect(plain.transports).toEqual(['GRPC', 'HTTP+JSON']);
  const environment = { A2ACLI_TIMEOUT: '3s' };
  expect((await read({}, environment)).sourced('timeout')).toEqual([
    { value: '3s', source: 'A2ACLI_TIMEOUT' },
  ]);
  expect((await read({ timeout: '4s' }, environment)).sourced('timeout')).toEqual([
    { value: '4s', source: '--timeout' },
  ]);
  expect((await read({}, {}, { transport: ['jsonrpc'] })).transports).toEqual(['JSONRPC']);
});

test('a named file replaces the nearest one', async () => {
  expect((await read({ config: '../../other.env' })).text('agent-card')).toBe('other.example');
  expect((await read({ config: '../../other.env' })).sourced('transport')).toEqual([]);
  await expect(read({ config: 'none.env' })).rejects.toThrow('--config: there is no file none.env.');
});

test('a duration without a unit is in seconds', async () => {
  expect((await read({ timeout: '5' })).milliseconds('timeout', 0)).toBe(5_000);
  expect((await read({ timeout: '500ms' })).milliseconds('timeout', 0)).toBe(500);
});

test('what a file switches on, an option switches off', async () => {
  expect((await read({}, { A2ACLI_ASYNC: '1' })).isOn('async')).toBe(true);
  expect((await read({ async: 'false' }, { A2ACLI_ASYNC: '1' })).isOn('async')).toBe(false);
});

test.each([
  [{ A2ACLI_OUTPUT: 'xml' }, 'A2ACLI_OUTPUT: expected text or json, found "xml".'],
  [
    { A2ACLI_TIMEOUT: 'soon' },
    'A2ACLI_TIMEOUT: expected a duration such as 90d, 12h, 30m or 45s, or a number',
  ],
  [{ A2ACLI_TRANSPORT: 'mqtt' }, 'A2ACLI_TRANSPORT: expected jsonrpc, rest or grpc, found "mqtt".'],
  [{ A2ACLI_ASYNC: 'yes' }, 'A2ACLI_ASYNC: expected true or false, found "yes".'],
  [{ A2ACLI_A2A_VERSION: '2.0' }, 'A2ACLI_A2A_VERSION: expected 1.0, 1.1, 0.3, found "2.0".'],
])('%j is an error that names its source', async (environment, message) => {
  await expect(read({}, environment)).rejects.toThrow(message);
});
