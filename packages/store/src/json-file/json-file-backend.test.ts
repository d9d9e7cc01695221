import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeFolderStore } from '../testing/describe-folder-store.ts';
import { describeStore } from '../testing/describe-store.ts';
import { openInFolder } from '../testing/open-in-folder.ts';
import { readAllEvents, sampleStatus, sampleTask } from '../testing/sample-task.ts';
import { makeTemporaryFolder } from '../testing/temporary-folder.ts';
import type { Adopt } from './json-file-backend.ts';
import { openJsonFileStore } from './open-json-file-store.ts';

describeStore(
  'json-file',
  openInFolder((folder) => openJsonFileStore({ folder })),
);

describeFolderStore({
  name: 'json-file',
  open: (folder) => openJsonFileStore({ folder }),
  async makeNewer(folder) {
    const [name = ''] = await readdir(join(folder, 'tasks'));
    const file = join(folder, 'tasks', name);
    await writeFile(file, (await readFile(file, 'utf8')).replace('"version":1', '"version":999'));
    return file;
  },
});

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
