import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../usage-error.ts';
import { parseConfig, readConfigFile } from './read-config-file.ts';

function problemsOf(source: string): string {
  try {
    parseConfig(source, 'holdword.config.json');
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

test('comments and trailing commas are allowed', () => {
  expect(
    parseConfig('// mine\n{ "port": 8080, /* later */ "limits": { "bodyBytes": 2048, }, }', 'x'),
  ).toEqual({
    port: 8080,
    limits: { bodyBytes: 2048 },
  });
});

test('an unknown key is rejected with its position and the nearest valid name', () => {
  expect(problemsOf('{\n  "host": "::1",\n  "prot": 1\n}')).toBe(
    'holdword.config.json:3:3: unknown key "prot"; did you mean "port"?',
  );
});

test('an unknown key inside an object is compared with the names valid there', () => {
  expect(problemsOf('{ "limits": { "bodybytes": 1 } }')).toContain('did you mean "bodyBytes"?');
  expect(problemsOf('{ "authentication": { "jwt": { "isuer": "x" } } }')).toContain('did you mean "issuer"?');
});

test('an unknown key that resembles no other is answered with the valid keys', () => {
  expect(problemsOf('{ "limits": { "banana": 1 } }')).toContain(
    'valid keys are bodyBytes, concurrentTurns, queuedTurns, ',
  );
});

test('every invalid value is reported in the order of the file, with what was expected and found', () => {
  expect(problemsOf('{\n  "grpcPort": "on",\n  "port": 70000,\n  "store": "mysql"\n}').split('\n')).toEqual([
    'holdword.config.json:2:15: grpcPort: expected a port number from 0 to 65535 or "off", found "on".',
    'holdword.config.json:3:11: port: expected a port number from 0 to 65535, found 70000.',
    'holdword.config.json:4:12: store: expected sqlite, json-file, memory or a URL such as postgres://user@host:5432/database, found "mysql".',
  ]);
});

test('a number in quotes is to be written without them', () => {
  expect(problemsOf('{ "port": "5110" }')).toBe(
    'holdword.config.json:1:11: port: expected a port number from 0 to 65535, found "5110". Write the number without quotes.',
  );
  expect(problemsOf('{ "grpcPort": "5111" }')).toContain('found "5111". Write the number without quotes.');
  expect(problemsOf('{ "port": "x" }')).toMatch(/found "x"\.$/);
});

test('a key that is given twice is rejected', () => {
  expect(
    problemsOf('{ "port": 1,\n "limits": { "streams": 1, "streams": 2 },\n "port": 2 }').split('\n'),
  ).toEqual([
    'holdword.config.json:2:28: duplicate key "streams"; remove one of them.',
    'holdword.config.json:3:2: duplicate key "port"; remove one of them.',
  ]);
});

test('broken JSON is reported where it breaks', () => {
  expect(problemsOf('{ port: 1 }')).toBe(
    'holdword.config.json:1:3: invalid JSON: invalid symbol. Put the key in double quotes.',
  );
  expect(problemsOf('{\n  "port": 1\n  "host": "x"\n}')).toBe(
    'holdword.config.json:3:3: invalid JSON: comma expected.',
  );
});

function withJwt(extra: string): string {
  return `{ "authentication": { "jwt": { "issuer": "i", "audience": "a"${extra} } } }`;
}

test('JWT settings need exactly one source of keys', () => {
  expect(problemsOf(withJwt(''))).toContain('expected either jwksUrl or jwksFile');
  expect(parseConfig(withJwt(', "jwksFile": "keys.json"'), 'x').authentication?.jwt?.jwksFile).toBe(
    'keys.json',
  );
});

test('a file is read, and a missing file is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-config-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'holdword.config.json');
  await expect(readConfigFile(file, 'holdword.config.json')).rejects.toThrow(
    `Cannot read the configuration file ${file}: it does not exist.`,
  );
  await writeFile(file, '\uFEFF{ "port": 1 }');
  await expect(readConfigFile(file, 'holdword.config.json')).resolves.toEqual({ port: 1 });
  await writeFile(file, '{ "prot": 1 }');
  await expect(readConfigFile(file, '../etc/holdword.config.json')).rejects.toThrow(
    '../etc/holdword.config.json:1:3: unknown key "prot"',
  );
});
