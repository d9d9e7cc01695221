import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { usePostgres } from '@holdword/store/testing/postgres';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { urlOf } from '../testing/talk.ts';

const postgres = usePostgres();
const BACKENDS: Record<string, () => Record<string, string>> = {
  sqlite: () => ({}),
  postgres: () => ({ HOLDWORD_STORE: postgres().url, HOLDWORD_STORE_SCHEMA: postgres().newSchema() }),
};

const HEADERS = { 'A2A-Version': '1.0', 'Content-Type': 'application/json' };

/** Starts a task and returns its id, before it has ended. */
async function begin(url: string, text: string): Promise<string> {
  const response = await fetch(`${url}/a2a/rest/message:send`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({
      message: { role: 'ROLE_USER', messageId: text, parts: [{ text }] },
      configuration: { returnImmediately: true },
    }),
  });
  const { task } = (await response.json()) as { task: { id: string } };
  return task.id;
}

async function statusOf(url: string, taskId: string): Promise<number> {
  return (await fetch(`${url}/a2a/rest/tasks/${taskId}`, { headers: HEADERS })).status;
}

test.each(Object.entries(BACKENDS))(
  'on %s a running task is deleted while its server runs, and the server goes on with others',
  { timeout: 120_000 },
  async (_, environment) => {
    const folder = await makeHoldwordFolder(environment());
    const url = await urlOf(folder.serve());
    const running = await begin(url, 'wait 600 seconds');
    const waiting = await begin(url, 'ask');
    expect(await folder.run('tasks', 'delete', running)).toEqual({
      code: 0,
      output: `Deleted task ${running}.\n`,
    });
    expect((await folder.run('tasks', 'delete', waiting, '--json')).output).toContain('"deleted": true');
    expect(await statusOf(url, running)).toBe(404);
    expect(await statusOf(url, waiting)).toBe(404);
    const again = await folder.run('tasks', 'delete', running);
    expect(again).toEqual({
      code: 1,
      output: expect.stringContaining(`There is no task ${running}.`) as string,
    });
    const next = await begin(url, 'echo hello');
    await expect.poll(() => statusOf(url, next)).toBe(200);
  },
);

test('a task whose events are damaged is deleted', { timeout: 120_000 }, async () => {
  const folder = await makeHoldwordFolder();
  const server = folder.serve();
  const taskId = await begin(await urlOf(server), 'ask');
  await server.kill();
  const database = new DatabaseSync(join(folder.path, '.holdword', 'holdword.db'));
  database.exec("UPDATE journal SET lines = '{broken'; DELETE FROM snapshots");
  database.close();
  expect(await folder.run('tasks', 'delete', taskId)).toMatchObject({ code: 0 });
  expect((await folder.run('tasks', 'delete', taskId)).output).toContain('There is no task');
});

test(
  'a folder of JSON files is served by one process: the command says so',
  { timeout: 120_000 },
  async () => {
    const folder = await makeHoldwordFolder({ HOLDWORD_STORE: 'json-file' });
    const server = folder.serve();
    const taskId = await begin(await urlOf(server), 'wait 600 seconds');
    expect((await folder.run('tasks', 'delete', taskId)).code).toBe(1);
    await server.kill();
    expect(await folder.run('tasks', 'delete', taskId)).toMatchObject({ code: 0 });
  },
);
