import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { send, urlOf } from '../testing/talk.ts';

/** Each command is a process, which takes its time where many of them start. */
const SLOW = { timeout: 60_000 };

test('a key is shown once, works, and is rotated and revoked while the server is running', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  const added = await folder.run('keys', 'add', 'laptop', '--expires', '1d');
  const key = /holdword_\S+/.exec(added.output)?.[0] ?? '';
  const url = await urlOf(folder.serve());
  expect((await send(url, 'echo x')).status).toBe(401);
  expect((await send(url, 'echo x', { key })).status).toBe(200);

  const rotated = await folder.run('keys', 'rotate', 'laptop');
  const newKey = /holdword_\S+/.exec(rotated.output)?.[0] ?? '';
  expect(newKey).not.toBe(key);
  await expect.poll(async () => (await send(url, 'echo x', { key: newKey })).status).toBe(200);
  expect((await send(url, 'echo x', { key })).status).toBe(401);

  const listed = await folder.run('keys', 'list');
  expect(listed.output).toMatch(
    /^NAME +ID +ROLE +CREATED +EXPIRES.*\nlaptop +[0-9a-f]{12} +caller +\d{4}-\S+ +\d{4}-\S+$/m,
  );
  expect(listed.output).not.toContain(newKey);

  expect((await folder.run('keys', 'revoke', 'laptop')).code).toBe(0);
  await expect
    .poll(async () => (await send(url, 'echo x', { key: newKey })).status, { timeout: 5000 })
    .toBe(401);
});

test('revoking the last key keeps the server closed, after a restart as well', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  await folder.run('keys', 'add', 'first');
  await folder.run('keys', 'add', 'only');
  expect((await folder.run('keys', 'revoke', 'first')).output).toBe('Revoked API key "first".\n');
  const { code, output } = await folder.run('keys', 'revoke', 'only');
  expect(output).toContain('That was the last API key. A running server rejects every key from now on');
  expect(output).toContain('holdword keys add NAME');
  expect(code).toBe(0);

  const server = folder.serve('--public-url', 'https://agent.example.org');
  await server.printed(/access +authentication required/);
});

test('an unknown name is answered with the existing names', async () => {
  const folder = await makeHoldwordFolder();
  await folder.run('keys', 'add', 'laptop');
  const { code, output } = await folder.run('keys', 'revoke', 'desktop');
  expect(output).toContain('Existing keys: laptop.');
  expect(code).toBe(1);
});

test('a revoked name is not given to another caller by accident', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  await folder.run('keys', 'add', 'laptop');
  await folder.run('keys', 'revoke', 'laptop');
  const refused = await folder.run('keys', 'add', 'laptop');
  expect(refused.output).toContain('A new key with this name would see the tasks of the old one');
  expect(refused.code).toBe(1);
  const meant = await folder.run('keys', 'add', 'laptop', '--same-caller');
  expect(meant.output).toMatch(/^holdword_/);
  expect(meant.code).toBe(0);
});

test.each([
  ['keys', 'list'],
  ['keys', 'revoke', 'laptop'],
  ['push', 'status', '--store', 'json-file'],
])('holdword %s %s without data says so and creates none', async (...words) => {
  const folder = await makeHoldwordFolder();
  const { code, output } = await folder.run(...words);
  expect(output).toContain(`There is no data in ${join(folder.path, '.holdword')} yet.`);
  expect(code).toBe(1);
  expect(await readdir(folder.path)).toEqual([]);
});

test('a key says where it went, and warns if that is new data', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  const data = `${join(folder.path, '.holdword')} (sqlite)`;
  const first = await folder.run('keys', 'add', 'laptop');
  expect(first.output).toContain(`Created API key "laptop" in ${data}.`);
  expect(first.output).toContain('Warning: there was no data before, so no server knows this key yet.');
  const second = await folder.run('keys', 'add', 'desktop');
  expect(second.output).toContain(`Created API key "desktop" in ${data}.`);
  expect(second.output).not.toContain('Warning');
});

test(
  'keys are made where the server looks for them, by its configuration file and its environment',
  SLOW,
  async () => {
    const folder = await makeHoldwordFolder({ HOLDWORD_CONFIG: 'server.json' });
    await writeFile(join(folder.path, 'server.json'), '{ "data": "elsewhere" }');
    const { output } = await folder.run('keys', 'add', 'laptop');
    const key = /holdword_\S+/.exec(output)?.[0] ?? '';
    const url = await urlOf(folder.serve());
    expect([(await send(url, 'echo x')).status, (await send(url, 'echo x', { key })).status]).toEqual([
      401, 200,
    ]);
  },
);

test(
  'with JSON files, keys are made while the server is stopped, and the refusal says so',
  SLOW,
  async () => {
    const folder = await makeHoldwordFolder({ HOLDWORD_STORE: 'json-file' });
    const holdword = folder.serve();
    await urlOf(holdword);
    const refused = await folder.run('keys', 'add', 'laptop');
    expect(refused.output).toContain(
      'The data folder is in use by another Holdword process; stop that process',
    );
    expect(refused.code).toBe(1);
    await holdword.stop();
    expect((await folder.run('keys', 'add', 'laptop')).code).toBe(0);
  },
);

test('refuses an expiry of nothing and a long name before it creates data', async () => {
  const folder = await makeHoldwordFolder();
  const expired = await folder.run('keys', 'add', 'laptop', '--expires', '0d');
  expect(expired).toMatchObject({
    code: 2,
    output: 'holdword: --expires: expected a duration above 0, such as 90d, found "0d".\n',
  });
  const long = await folder.run('keys', 'add', 'x'.repeat(300));
  expect(long.code).toBe(2);
  expect(long.output.length).toBeLessThan(250);
  expect(existsSync(join(folder.path, '.holdword'))).toBe(false);
});

test('a key can be one of an operator, and keeps its role when it is rotated', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  await folder.run('keys', 'add', 'laptop');
  await folder.run('keys', 'add', 'ada', '--role', 'operator');
  await folder.run('keys', 'rotate', 'ada');
  const { output } = await folder.run('keys', 'list', '--json');
  expect(JSON.parse(output)).toMatchObject({
    keys: [
      { name: 'laptop', role: 'caller' },
      { name: 'ada', role: 'operator' },
    ],
  });
  const { code, output: refusal } = await folder.run('keys', 'add', 'bob', '--role', 'admin');
  expect(code).toBe(2);
  expect(refusal).toContain('Expected --role to be caller or operator, found "admin".');
});
