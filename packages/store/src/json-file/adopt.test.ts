import { expect, onTestFinished, test } from 'vitest';
import { readAllEvents, sampleStatus, sampleTask } from '../testing/sample-task.ts';
import { makeTemporaryFolder } from '../testing/temporary-folder.ts';
import type { Adopt } from './adopt.ts';
import { openJsonFileStore } from './open-json-file-store.ts';

test('a task of another program is looked up once and adopted', async () => {
  const { folder, remove } = await makeTemporaryFolder();
  onTestFinished(remove);
  const { holder: _, ...task } = sampleTask({
    taskId: 'theirs',
    status: sampleStatus('TASK_STATE_COMPLETED'),
  });
  const asked: string[] = [];
  const adopt: Adopt = async (taskId) => {
    asked.push(taskId);
    return taskId === 'theirs' ? { task, snapshot: { sequence: 1, json: '{"all":"of it"}' } } : undefined;
  };

  const store = await openJsonFileStore({ folder, adopt });
  expect(await store.readTask('nobody’s')).toBeUndefined();
  const header = await store.readTask('theirs');
  expect(header).toMatchObject({ taskId: 'theirs', state: 'TASK_STATE_COMPLETED', lastSequence: 1 });
  await store.readTask('theirs');
  await store.close();
  expect(asked).toEqual(['nobody’s', 'theirs']);

  const reopened = await openJsonFileStore({ folder });
  onTestFinished(() => reopened.close());
  expect(await reopened.readTask('theirs')).toEqual(header);
  expect(await reopened.readSnapshot('theirs')).toEqual({ sequence: 1, json: '{"all":"of it"}' });
  expect(await readAllEvents(reopened, 'theirs')).toEqual([{ sequence: 1, json: task.entries[0]?.json }]);
});
