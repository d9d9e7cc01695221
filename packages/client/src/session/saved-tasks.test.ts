import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Task } from '@holdword/protocol';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LocalFileStore } from '../files/local-file-store.ts';
import { JSONTaskStore } from '../stores/json-task-store.ts';
import { SavedTasks } from './saved-tasks.ts';
import { TaskView } from './task-view.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdword-kept-'));
});
afterEach(() => rm(folder, { recursive: true }));

function openKept(): SavedTasks {
  const tasks = new JSONTaskStore(join(folder, 'tasks'));
  return new SavedTasks({ tasks, notes: tasks.notes, files: new LocalFileStore(join(folder, 'files')) });
}

function taskWithFile(id: string, content: string): Task {
  const raw = Buffer.from(content).toString('base64');
  return {
    id,
    contextId: 'context',
    status: { state: 'TASK_STATE_COMPLETED' },
    artifacts: [{ artifactId: 'report', parts: [{ raw, filename: 'report.txt' }] }],
  };
}

async function keep(kept: SavedTasks, agentId: string, task: Task): Promise<void> {
  await kept.save(agentId, new TaskView(task));
  await kept.saveFiles(agentId, task);
}

async function filesOf(kept: SavedTasks, agentId: string, taskId: string): Promise<string[]> {
  return (await kept.filesOf(agentId, taskId, ['report'])).paths['report'] ?? [];
}

async function contentOf(kept: SavedTasks, agentId: string, taskId: string): Promise<string> {
  const [path = ''] = await filesOf(kept, agentId, taskId);
  return readFile(path, 'utf8');
}

it('saves a task and its files under its id', async () => {
  const kept = openKept();
  await keep(kept, 'ada', taskWithFile('t-1', 'one'));
  expect(await filesOf(kept, 'ada', 't-1')).toEqual([`${folder}/files/t-1/report/report.txt`]);
  expect(await kept.load('bob', 't-1')).toBeUndefined();
  expect(await filesOf(kept, 'bob', 't-1')).toEqual([]);
});

it('separates tasks of two agents with the same ids, even in a later session', async () => {
  const kept = openKept();
  const tasks = { ada: taskWithFile('t-1', "Ada's"), bob: taskWithFile('t-1', "Bob's") };
  await Promise.all(Object.entries(tasks).map(([agentId, task]) => keep(kept, agentId, task)));
  for (const each of [kept, openKept()]) {
    expect((await each.load('bob', 't-1'))?.toTask()).toEqual(tasks.bob);
    expect((await each.load('ada', 't-1'))?.toTask()).toEqual(tasks.ada);
    expect(await contentOf(each, 'bob', 't-1')).toBe("Bob's");
    expect(await contentOf(each, 'ada', 't-1')).toBe("Ada's");
  }
});

it('is not confused by an id that looks like the stored name of another task', async () => {
  const kept = openKept();
  await keep(kept, 'mallory', taskWithFile('t-1', 'first'));
  await keep(kept, 'mallory', taskWithFile('t-1@bob', 'second'));
  await keep(kept, 'bob', taskWithFile('t-1', "Bob's"));
  expect(await contentOf(kept, 'bob', 't-1')).toBe("Bob's");
  expect(await contentOf(kept, 'mallory', 't-1@bob')).toBe('second');
  expect((await openKept().load('bob', 't-1'))?.id).toBe('t-1');
});
