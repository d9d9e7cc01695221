import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../port.ts';
import { createSampleTask, readAllEvents } from '../testing/sample-task.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';
import { openSqliteStore } from './open-sqlite-store.ts';

const EVENTS = 40;
const EVENT_CHARACTERS = 64 * 1024;

let temporary: TemporaryFolder;
let store: Store;
beforeEach(async () => {
  temporary = await makeTemporaryFolder();
  store = await openSqliteStore({ folder: temporary.folder });
});
afterEach(async () => {
  await store.close();
  await temporary.remove();
});

it('returns fewer events when they are large, so that a slow reader uses little memory', async () => {
  const { taskId } = await createSampleTask(store);
  const json = JSON.stringify({ artifactUpdate: 'x'.repeat(EVENT_CHARACTERS) });
  for (let event = 0; event < EVENTS; event += 1) {
    await store.append({ taskId, fence: 1, firstSequence: event + 2, entries: [{ json }] });
  }

  const first = await store.readEvents(taskId, 1, EVENTS);
  expect(first.length).toBeGreaterThan(1);
  expect(first.length).toBeLessThan(10);
  expect(await readAllEvents(store, taskId, EVENTS)).toHaveLength(EVENTS + 1);
});
