import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  JSONTaskStore,
  type FileStore,
  type TaskStore,
  type V03Artifact,
  type V03Event,
  type V03Task,
} from '@holdword/client';
import { expect, onTestFinished, test } from 'vitest';
import { startAgent } from '../../support/start-agent.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { openSession } from './open-session.ts';
import { taskOf } from './results.ts';
import { startSdkAgent } from './start-sdk-agent.ts';

async function start(): Promise<TestAgent> {
  const agent = await startAgent();
  onTestFinished(() => agent.close());
  return agent;
}

/** As a user writes it who knows only tasks. */
class PlainTaskStore implements TaskStore {
  readonly saved: V03Task[] = [];

  async save(task: V03Task): Promise<void> {
    this.saved.push(task);
  }

  async load(taskId: string): Promise<V03Task | undefined> {
    return this.saved.findLast(({ id }) => id === taskId);
  }
}

/** As a user writes it who knows the parts that sessions return. */
class PlainFileStore implements FileStore {
  readonly files = new Map<string, string[]>();

  async save(taskId: string, { artifactId, parts }: V03Artifact): Promise<string[]> {
    const contents = parts.flatMap((part) =>
      part.kind === 'file' && part.file.bytes !== undefined
        ? [Buffer.from(part.file.bytes, 'base64').toString()]
        : [],
    );
    this.files.set(`${taskId}/${artifactId}`, contents);
    return contents;
  }

  async get(taskId: string, artifactId: string): Promise<string[]> {
    return this.files.get(`${taskId}/${artifactId}`) ?? [];
  }

  async delete(taskId: string, artifactId: string): Promise<void> {
    this.files.delete(`${taskId}/${artifactId}`);
  }
}

const FILE = { bytes: Buffer.from('content').toString('base64'), name: 'a.txt', mimeType: 'text/plain' };

test("a user's stores get tasks and files in the shape that the session returns, and nothing else", async () => {
  const agent = await start();
  const [taskStore, fileStore] = [new PlainTaskStore(), new PlainFileStore()];
  const session = openSession(agent.target.baseUrl, { taskStore, fileStore });
  const task = taskOf(
    await session.sendMessage('agent', [
      { kind: 'text', text: 'mirror; complete' },
      { kind: 'file', file: FILE },
    ]),
  );
  expect(taskStore.saved.at(-1)).toEqual(task);
  expect(new Set(taskStore.saved.map(({ kind, id }) => `${kind} ${id}`))).toEqual(
    new Set([`task ${task.id}`]),
  );
  expect(JSON.stringify(taskStore.saved)).not.toContain('urn:holdword:client');
  expect(await session.getSavedFiles('agent', task)).toMatchObject({
    paths: { mirror: ['content'] },
    errors: {},
  });
});

test('what a JSONTaskStore saves is what it loads', async () => {
  const agent = await start();
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const taskStore = new JSONTaskStore(folder.path);
  const session = openSession(agent.target.baseUrl, { taskStore });
  const task = taskOf(await session.sendMessage('agent', 'artifact a one; complete done'));
  expect(await taskStore.load(task.id)).toEqual(task);
  await taskStore.save(task);
  expect(await taskStore.load(task.id)).toEqual(task);
  expect((await readdir(folder.path)).toSorted()).toEqual(['scopes', `${task.id}.json`].toSorted());
});

test('a message that was not sent leaves nothing behind', async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const session = openSession('http://127.0.0.1:9', { taskStore: new JSONTaskStore(folder.path) });
  await expect(session.sendMessage('agent', 'secret plans')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await readdir(join(folder.path, 'scopes', 'notes'))).toEqual([]);
});

test('an artifact may have any id', async () => {
  const agent = await start();
  const fileStore = new PlainFileStore();
  const session = openSession(agent.target.baseUrl, { fileStore });
  const task = taskOf(await session.sendMessage('agent', 'complete'));
  const artifact: V03Artifact = { artifactId: '__proto__', parts: [{ kind: 'file', file: FILE }] };
  const strange = { ...task, artifacts: [artifact] };
  await fileStore.save(task.id, artifact);
  const { paths } = await session.getSavedFiles('agent', strange);
  expect(Object.entries(paths)).toEqual([['__proto__', ['content']]]);
});

test.each([true, false])(
  'the first update is the task, even if it has ended (streaming: %s)',
  async (streaming) => {
    const { url } = await startSdkAgent({ interfaces: [{ binding: 'JSONRPC', version: '1.0' }], streaming });
    const updates: V03Event[] = [];
    const session = openSession(url);
    const task = taskOf(
      await session.sendMessage('agent', 'artifact a one', {
        onUpdate: (update) => void updates.push(update),
      }),
    );
    expect(updates[0]).toMatchObject({ kind: 'task', id: task.id });
    const again: V03Event[] = [];
    await session.getTask('agent', task.id, { onUpdate: (update) => void again.push(update) });
    expect(again).toMatchObject([{ kind: 'task', id: task.id, status: { state: 'completed' } }]);
  },
);
