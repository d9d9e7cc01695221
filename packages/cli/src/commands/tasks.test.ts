import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { usePostgres } from '@holdword/store/testing/postgres';
import { expect, onTestFinished, test } from 'vitest';
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
  'on %s the stream of a deleted task ends with its cancellation, its receiver is notified, and log and audit say who did it',
  { timeout: 120_000 },
  async (_, environment) => {
    const { url: receiver, received } = await startReceiver();
    const folder = await makeHoldwordFolder(environment());
    const server = folder.serve('--config', await writeAgent(folder.path));
    const url = await urlOf(server);
    const taskId = await begin(url, 'work');
    await server.printed(/agent started/);
    const config = { taskId, id: 'one', url: receiver };
    const configured = await fetch(`${url}/a2a/rest/tasks/${taskId}/pushNotificationConfigs`, {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify(config),
    });
    expect(configured.status).toBe(200);
    const stream = await fetch(`${url}/a2a/rest/tasks/${taskId}:subscribe`, { headers: HEADERS });
    expect(await folder.run('tasks', 'delete', taskId)).toMatchObject({ code: 0 });
    expect((await stream.text()).split('\n').findLast((line) => line.startsWith('data:'))).toContain(
      'TASK_STATE_CANCELED',
    );
    await server.printed(/agent aborted: canceled/);
    expect(received()).toContain('TASK_STATE_CANCELED');
    const [, by] = await server.printed(/"by":"([^"]+@[^"]+)","message":"Deleted a task/);
    expect(server.output()).not.toContain('given up');
    await server.stop();
    const audit = await readFile(join(folder.path, '.holdword', 'audit.jsonl'), 'utf8');
    const lines = audit.split('\n').filter((line) => line.includes(taskId));
    expect(lines.slice(-2).map((line): unknown => JSON.parse(line))).toMatchObject([
      { event: 'state', state: 'TASK_STATE_CANCELED', task: taskId },
      { event: 'task-deleted', task: taskId, by },
    ]);
  },
);

test(
  'without a server the command deletes the task itself, and writes the audit log',
  { timeout: 120_000 },
  async () => {
    const folder = await makeHoldwordFolder();
    const server = folder.serve();
    const taskId = await begin(await urlOf(server), 'ask me');
    await server.stop();
    expect(await folder.run('tasks', 'delete', taskId)).toMatchObject({ code: 0 });
    const audit = await readFile(join(folder.path, '.holdword', 'audit.jsonl'), 'utf8');
    expect(audit.trimEnd().split('\n').slice(-2)).toEqual([
      expect.stringContaining('"state":"TASK_STATE_CANCELED"'),
      expect.stringMatching(/"event":"task-deleted".*"by":".+@/),
    ]);
  },
);

/** Receives push notifications, and keeps what they say. */
async function startReceiver(): Promise<{ url: string; received: () => string }> {
  let bodies = '';
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => (bodies += text));
    request.on('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, received: () => bodies };
}

/** Writes an agent that works until its signal fires, and a configuration that serves it and may notify this machine. */
async function writeAgent(folder: string): Promise<string> {
  await writeFile(
    join(folder, 'agent.mjs'),
    `export default {
  card: { name: 'Worker', description: 'Works until it is aborted.' },
  execute: ({ signal }) =>
    new Promise((resolve) => {
      console.log('agent started');
      signal.addEventListener('abort', () => {
        console.log('agent aborted: ' + signal.reason.reason);
        resolve();
      });
    }),
};
`,
  );
  const config = { agent: './agent.mjs', push: { allowPrivate: ['127.0.0.1'] }, logLevel: 'info' };
  await writeFile(join(folder, 'worker.json'), JSON.stringify(config));
  return 'worker.json';
}

test.each(Object.entries(BACKENDS))(
  'on %s a running task is deleted while its server runs, and the server goes on with others',
  { timeout: 120_000 },
  async (_, environment) => {
    const folder = await makeHoldwordFolder(environment());
    const url = await urlOf(folder.serve());
    const running = await begin(url, 'wait 600 seconds');
    const waiting = await begin(url, 'ask me');
    expect(await folder.run('tasks', 'delete', running)).toMatchObject({
      code: 0,
      output: `Deleted task ${running}.\n`,
    });
    expect((await folder.run('tasks', 'delete', waiting, '--json')).output).toContain('"deleted": true');
    expect(await statusOf(url, running)).toBe(404);
    expect(await statusOf(url, waiting)).toBe(404);
    const again = await folder.run('tasks', 'delete', running);
    expect(again).toMatchObject({
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
  const taskId = await begin(await urlOf(server), 'ask me');
  await server.kill();
  const database = new DatabaseSync(join(folder.path, '.holdword', 'holdword.db'));
  database.exec("UPDATE journal SET lines = '{broken'; DELETE FROM snapshots");
  database.close();
  expect(await folder.run('tasks', 'delete', taskId)).toMatchObject({
    code: 0,
    stdout: `Deleted task ${taskId}.\n`,
    errors: expect.stringContaining('its push targets were not told') as string,
  });
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
