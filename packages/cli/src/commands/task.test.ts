import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { urlOf } from '../testing/talk.ts';

/** Each command is a process, which takes its time where many of them start. */
const SLOW = { timeout: 120_000 };

async function startAgent(config: object = {}) {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify(config));
  const agent = new URL(await urlOf(folder.serve())).origin;
  const run = (...words: string[]) => folder.run(...words, '-a', agent);
  const idOf = async (...words: string[]) => {
    const { stdout } = await run('send', ...words, '-o', 'json');
    return (JSON.parse(stdout) as { task: { id: string } }).task.id;
  };
  return { folder, run, idOf };
}

test('the files of a task are saved, and no existing file is lost', SLOW, async () => {
  const { folder, run, idOf } = await startAgent();
  const id = await idOf('file');
  const saved = await run('task', 'download', id, '--out', 'results');
  expect(saved.output).toMatch(/^State: TASK_STATE_COMPLETED\nFile: .*planets\.csv, text\/csv, 46 bytes$/m);
  const file = join(folder.path, 'results', 'planets.csv');
  expect(await readFile(file, 'utf8')).toContain('Mercury');
  await writeFile(file, 'mine');
  const again = await run('task', 'download', id, '--out', 'results');
  expect(again).toMatchObject({
    code: 1,
    errors: 'Warning: Not saved: planets.csv: it exists; add --force to replace it.\n',
  });
  expect(await readFile(file, 'utf8')).toBe('mine');
  expect((await run('task', 'download', id, '--out', 'results', '--force')).code).toBe(0);
  expect(await readFile(file, 'utf8')).toContain('Mercury');
});

test('texts and data are files too', SLOW, async () => {
  const { folder, run, idOf } = await startAgent();
  expect((await run('task', 'download', await idOf('echo hello'), '--out', 'text')).code).toBe(0);
  expect((await run('task', 'download', await idOf('table'), '--out', 'data', '-o', 'json')).code).toBe(0);
  expect(await readFile(join(folder.path, 'text', 'echo.txt'), 'utf8')).toBe('hello');
  const [data = ''] = await readdir(join(folder.path, 'data'));
  expect(JSON.parse(await readFile(join(folder.path, 'data', data), 'utf8'))).toBeTypeOf('object');
  const missing = await run('task', 'download', await idOf('table'), '--artifact', 'none');
  expect(missing).toMatchObject({ code: 1, errors: expect.stringContaining('no artifact none') as string });
});

test('an agent is told where to send notifications, and no longer', SLOW, async () => {
  const { run, idOf } = await startAgent({ push: { allowPrivate: ['127.0.0.0/8'] } });
  const id = await idOf('--async', 'wait 600');
  const words = ['--url', 'http://127.0.0.1:18080/hook', '--token', 'secret'];
  const created = await run('task', 'push-config', 'create', id, ...words, '-o', 'json');
  expect(created.errors).toBe('');
  const config = JSON.parse(created.stdout) as { id: string; url: string };
  expect(config.url, created.stdout).toBe('http://127.0.0.1:18080/hook');
  expect((await run('task', 'push-config', 'list', id)).output).toContain(`Config ID: ${config.id}`);
  expect((await run('task', 'push-config', 'get', id, config.id)).output).toContain(
    'URL: http://127.0.0.1:18080/hook',
  );
  expect((await run('task', 'push-config', 'delete', id, config.id)).output).toBe(`Deleted: ${config.id}\n`);
  expect((await run('task', 'push-config', 'list', id)).output).toBe('Total: 0\n');
});

test('an agent that does not notify is not asked to', SLOW, async () => {
  const { run } = await startAgent({ push: { enabled: false } });
  const refused = await run('task', 'push-config', 'list', 'x', '-o', 'json');
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'PushNotificationNotSupportedError' } });
});

test('a card is checked against the specification', SLOW, async () => {
  const { folder, run } = await startAgent();
  expect((await run('card', 'get', '--validate')).code).toBe(0);
  const odd = {
    name: 'Odd',
    supportedInterfaces: [{ url: 'http://127.0.0.1:1', protocolBinding: 'JSONRPC' }],
  };
  await writeFile(join(folder.path, 'odd.json'), JSON.stringify(odd));
  const invalid = await folder.run('card', 'get', '-a', './odd.json', '--validate');
  expect(invalid.code).toBe(1);
  expect(invalid.errors).toMatch(
    /Error: A2ACLI_ERR_CARD_INVALID\nMessage: The card breaks the specification: description: /,
  );
});

test('the extended card is for callers with a credential', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  const skills = [{ id: 'hidden', name: 'Hidden', description: 'For friends.', tags: [] }];
  await writeFile(
    join(folder.path, 'holdword.config.json'),
    JSON.stringify({ card: { extended: { skills } } }),
  );
  const added = await folder.run('keys', 'add', 'laptop');
  const key = /holdword_\S+/.exec(added.output)?.[0] ?? '';
  const agent = new URL(await urlOf(folder.serve())).origin;
  const missing = await folder.run('card', 'get', '--extended', '-a', agent, '-o', 'json');
  expect(missing.code).toBe(4);
  expect(missing.stdout).toContain('A2ACLI_ERR_CREDENTIALS_MISSING');
  const extended = await folder.run('card', 'get', '--extended', '-a', agent, '--bearer', key);
  expect(extended.output).toContain('Skill: hidden: Hidden.');
});
