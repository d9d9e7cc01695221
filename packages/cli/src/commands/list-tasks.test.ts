import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { send, taskOf, urlOf } from '../testing/talk.ts';

const SLOW = { timeout: 120_000 };

interface Listed {
  readonly tasks: {
    readonly taskId: string;
    readonly state: string;
    readonly owner: string;
    readonly contextId: string;
  }[];
}

test('operators see the tasks of all owners, and filter them', SLOW, async () => {
  const folder = await makeHoldwordFolder();
  const [ada, bob] = [
    (await folder.run('keys', 'add', 'ada')).stdout.trim(),
    (await folder.run('keys', 'add', 'bob')).stdout.trim(),
  ];
  const url = await urlOf(folder.serve());
  const done = await taskOf(await send(url, 'echo hello', { key: ada }));
  const asking = await taskOf(await send(url, 'ask me', { key: bob }));
  const running = await taskOf(await send(url, 'wait 600', { key: bob, immediately: true }));
  const list = async (...words: string[]): Promise<string[]> => {
    const { stdout, errors } = await folder.run('tasks', 'list', '--json', ...words);
    expect(errors).toBe('');
    return (JSON.parse(stdout) as Listed).tasks.map(({ taskId }) => taskId);
  };
  expect(await list()).toEqual([running.id, asking.id, done.id]);
  expect(await list('--owner', 'bob')).toEqual([running.id, asking.id]);
  expect(await list('--state', 'completed')).toEqual([done.id]);
  expect(await list('--context', asking.contextId)).toEqual([asking.id]);
  expect(await list('--since', '1h', '--limit', '1')).toEqual([running.id]);
  expect(await list('--until', '2020-01-01')).toEqual([]);
  expect((await folder.run('tasks', 'list')).stdout).toMatch(new RegExp(`^${done.id} +completed +ada `, 'm'));

  await expect
    .poll(async () => JSON.parse((await folder.run('tasks', 'top', '--json')).stdout) as unknown, {
      timeout: 60_000,
    })
    .toMatchObject({
      servers: 1,
      turns: { running: 1, queued: 0, waiting: 1 },
      tasks: [{ taskId: running.id, owner: 'bob' }],
    });
  const top = await folder.run('tasks', 'top');
  expect(top.code).toBe(0);
  expect(top.stdout).toContain('turns    1 running, 0 queued, 1 waiting for their user\n');
});

test.each([
  [['--state', 'odd'], '--state: expected submitted'],
  [['--limit', '0'], '--limit: expected a number'],
  [['--since', 'soon'], '--since: expected 2h'],
])('%j is refused', SLOW, async (words, message) => {
  const folder = await makeHoldwordFolder();
  const { code, errors } = await folder.run('tasks', 'list', ...words);
  expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining(message) as string });
});
