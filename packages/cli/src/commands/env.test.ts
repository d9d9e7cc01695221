import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeHoldwordFolder, type HoldwordFolder } from '../testing/holdword-folder.ts';
import { urlOf } from '../testing/talk.ts';

const SLOW = { timeout: 120_000 };

/** A server that takes one key, and a folder whose commands know what the variables say. */
async function startProtected(variables: Record<string, string> = {}) {
  const home = await makeHoldwordFolder();
  const key = (await home.run('keys', 'add', 'laptop')).stdout.trim();
  const agent = new URL(await urlOf(home.serve())).origin;
  const folder = await makeHoldwordFolder({
    XDG_CONFIG_HOME: join(home.path, 'config'),
    WORK_KEY: key,
    ...variables,
  });
  return { folder, key, agent, file: join(home.path, 'config', 'holdword', 'environments.json') };
}

function send(folder: HoldwordFolder, ...words: string[]) {
  return folder.run('send', '-a', 'work', ...words, 'echo hello');
}

test('a name stands for the address and the key, which is not stored', SLOW, async () => {
  const { folder, key, agent, file } = await startProtected();
  const added = await folder.run('env', 'add', 'work', agent, '--key-from', 'env:WORK_KEY');
  expect(added).toMatchObject({ code: 0, stdout: '' });
  expect(await readFile(file, 'utf8')).not.toContain(key);
  const sent = await send(folder);
  expect(sent.output).toContain('State: TASK_STATE_COMPLETED');
  expect(sent.output).toContain('Resume: holdword send -a work --context-id');
  expect((await folder.run('env', 'show', 'work', '--json')).stdout).toContain(`"url": "${agent}"`);
  expect((await folder.run('env', 'list')).stdout).toMatch(/work +http\S+ +env:WORK_KEY/);
  expect((await folder.run('env', 'remove', 'work')).code).toBe(0);
  expect((await folder.run('env', 'list')).stdout).toBe('');
});

describe('keys', () => {
  test.each(['file', 'command'])('are read from a %s', SLOW, async (kind) => {
    const { folder, key, agent } = await startProtected();
    await writeFile(join(folder.path, 'key.txt'), `${key}\n`);
    const source =
      { file: 'file:key.txt', command: `command:cat ${join(folder.path, 'key.txt')}` }[kind] ?? '';
    await folder.run('env', 'add', 'work', agent, '--key-from', source);
    expect((await send(folder)).output).toContain('State: TASK_STATE_COMPLETED');
  });

  test('win over variables, and lose against an option', SLOW, async () => {
    const { folder, agent } = await startProtected({ A2ACLI_BEARER: 'for-another-agent' });
    await folder.run('env', 'add', 'work', agent, '--key-from', 'env:WORK_KEY');
    expect((await send(folder)).code).toBe(0);
    expect(await send(folder, '--bearer', 'wrong')).toMatchObject({ code: 4 });
  });

  test.each([
    [
      'env:NO_SUCH_KEY',
      'The variable NO_SUCH_KEY is not set. It holds the key of this agent: export NO_SUCH_KEY=KEY',
    ],
    ['file:nowhere.txt', 'nowhere.txt: it does not exist.'],
    ['command:echo secret-text >&2; exit 3', 'failed (3): echo secret-text'],
    ['command:true', 'The command "true" is empty, so there is no key to send.'],
  ])('%s: what is missing is said before anything is sent', SLOW, async (source, message) => {
    const { folder, agent } = await startProtected();
    await folder.run('env', 'add', 'work', agent, '--key-from', source);
    const sent = await send(folder);
    expect(sent.code).toBe(2);
    expect(sent.errors).toContain(message);
  });
});

test.each([
  [['agent.example', 'https://a.example'], 'A name has letters, digits, - and _'],
  [['localhost', 'https://a.example'], 'is not localhost'],
  [
    ['work', 'https://a.example', '--key-from', 'sk-secret'],
    'expected env:NAME, file:PATH or command:COMMAND',
  ],
  [['work', 'https://a.example', '--a2a-version', '9'], 'found "9"'],
  [['work', 'not a url'], 'found "not a url", and there is no such file'],
  [['work', 'cards/work.json'], 'there is no such file'],
])('env add %j is refused', SLOW, async (words, message) => {
  const folder = await makeHoldwordFolder({ XDG_CONFIG_HOME: '/nowhere' });
  const added = await folder.run('env', 'add', ...words);
  expect(added.code).toBe(2);
  expect(added.errors).toContain(message);
  expect(added.errors).not.toContain('sk-secret');
});

test('a second agent of the name, an unknown name and a broken file are refused', SLOW, async () => {
  const { folder, agent, file } = await startProtected();
  await folder.run('env', 'add', 'work', agent);
  expect((await folder.run('env', 'add', 'work', agent)).errors).toContain('Add --replace');
  expect((await folder.run('env', 'add', 'work', agent, '--replace', '--transport', 'rest')).code).toBe(0);
  expect((await folder.run('env', 'show', 'wrok')).errors).toContain('Did you mean "work"?');
  await writeFile(file, '{"work": {"url": 1}}');
  expect((await send(folder)).errors).toContain('are invalid');
  await writeFile(file, '{');
  await chmod(file, 0o600);
  expect((await send(folder)).errors).toContain('it is not valid JSON');
});
