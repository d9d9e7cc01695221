import type { Message, Part, StreamResponse, Task } from '@holdword/protocol';
import { applyArtifactUpdate, artifactsById, jsonPieces } from '@holdword/protocol/internal';
import { openMemoryStore, type JournalEntry, type Store } from '@holdword/store';
import { overrideStore, seededRandom } from '@holdword/store/testing';
import { describe, expect, test } from 'vitest';
import type { InternalPayload } from './event-codec.ts';
import { viewTask } from './stored-content.ts';
import { LARGE_CHARACTERS, loadFold, messagesIn, TaskFold } from './task-fold.ts';

const ids = { taskId: 't', contextId: 'c' };
const CHUNK = 64 * 1024;

interface Written {
  event: StreamResponse;
  internal?: InternalPayload;
}

const CREATED: Task = {
  id: 't',
  contextId: 'c',
  status: { state: 'TASK_STATE_WORKING' },
  history: [message('hello', 'ROLE_USER')],
};

function message(text: string, role: Message['role']): Message {
  return { messageId: text.slice(0, 20), role, parts: [{ text }] };
}

function chunk(artifactId: string, parts: Part[], append: boolean): Written {
  return {
    event: {
      artifactUpdate: { ...ids, artifact: { artifactId, name: `${artifactId} ${append}`, parts }, append },
    },
  };
}

function said(
  state: 'TASK_STATE_WORKING' | 'TASK_STATE_INPUT_REQUIRED',
  text: string,
  input?: string,
): Written {
  const status = { state, message: message(text, 'ROLE_AGENT') };
  const internal = input === undefined ? undefined : { input: message(input, 'ROLE_USER') };
  return { event: { statusUpdate: { ...ids, status } }, ...(internal && { internal }) };
}

async function storeOf(written: readonly Written[]): Promise<Store> {
  const store = openMemoryStore();
  const entries = [{ event: { task: CREATED } }, ...written].map(({ event, internal }: Written) => {
    const entry: JournalEntry = { json: JSON.stringify(event), changesStatus: !('artifactUpdate' in event) };
    if (internal !== undefined) entry.internal = JSON.stringify(internal);
    return entry;
  });
  const status = { state: 'TASK_STATE_WORKING', time: 1, json: '{}' } as const;
  await store.createTask({ taskId: 't', owner: 'me', contextId: 'c', status, entries });
  return store;
}

/** The task that the events make, built without regard to size. */
function expectedTask(written: readonly Written[]): Task {
  const task = structuredClone(CREATED);
  const byId = artifactsById(task);
  for (const { event, internal } of written) {
    if ('artifactUpdate' in event) applyArtifactUpdate(task, byId, event.artifactUpdate);
    if ('statusUpdate' in event) task.status = event.statusUpdate.status;
    task.history?.push(...messagesIn(event, internal));
  }
  return task;
}

async function read(task: Task): Promise<Task> {
  let json = '';
  for await (const piece of jsonPieces(task)) json += piece;
  return JSON.parse(json) as Task;
}

async function folded(store: Store): Promise<TaskFold> {
  const fold = await loadFold(store, 't');
  if (fold === undefined) throw new Error('Expected a fold.');
  return fold;
}

function appends(artifactId: string, count: number): Written[] {
  return Array.from({ length: count }, (_, index) =>
    chunk(artifactId, [{ text: String.fromCharCode(97 + (index % 26)).repeat(CHUNK) }], index > 0),
  );
}

describe('a large task', () => {
  test('is read from its journal as it would be from memory, while its fold stays small', async () => {
    const written = [...appends('a', 100), ...appends('b', 2)];
    const fold = await folded(await storeOf(written));
    expect(fold.isLarge).toBe(true);
    expect(fold.toSnapshot().length).toBeLessThan(10_000);
    expect(fold.toTask()).not.toHaveProperty('artifacts');
    expect(await read(viewTask(await storeOf(written), fold))).toEqual(expectedTask(written));
  });

  test('with artifacts that grow in turns, are replaced and have other parts than text', async () => {
    const random = seededRandom(7);
    const written: Written[] = [];
    for (let index = 0; index < 260; index += 1) {
      const parts: Part[] = [{ text: `${index}`.repeat(CHUNK / 4) }];
      if (random.below(3) === 0) parts.push({ text: 'x', mediaType: 'text/x' });
      if (random.below(4) === 0) parts.unshift({ data: { index } });
      if (random.below(8) === 0) written.push(said('TASK_STATE_INPUT_REQUIRED', `question ${index}`));
      if (random.below(8) === 0) written.push(said('TASK_STATE_WORKING', 'thinking', `answer ${index}`));
      written.push(chunk(`artifact ${random.below(5)}`, parts, random.below(20) > 0));
    }
    const store = await storeOf(written);
    const fold = await folded(store);
    expect(fold.isLarge).toBe(true);
    const expected = expectedTask(written);
    expect(await read(viewTask(store, fold))).toEqual(expected);
    const { history: _, ...withoutHistory } = expected;
    expect(await read(viewTask(store, fold, 0))).toEqual(withoutHistory);

    const snapshot = TaskFold.fromSnapshot(fold.toSnapshot(), fold.sequence);
    expect(await read(viewTask(store, snapshot))).toEqual(expected);
  });

  test('is loaded from its snapshot, without the events before it', async () => {
    const written = appends('a', 90);
    const store = await storeOf(written);
    const before = await folded(store);
    await store.writeSnapshot('t', { sequence: before.sequence, json: before.toSnapshot() });
    const reads: number[] = [];
    const counting = overrideStore(store, {
      readEvents: (taskId, after, limit) => {
        reads.push(after);
        return store.readEvents(taskId, after, limit);
      },
    });
    const fold = await folded(counting);
    expect(reads).toEqual([before.sequence]);
    expect(await read(viewTask(store, fold))).toEqual(expectedTask(written));
    expect(fold.characters).toBe(before.characters);
  });

  test('a view shows the task as it was, whatever is written meanwhile', async () => {
    const written = [...appends('a', 70), ...appends('a', 3)];
    const store = await storeOf(written);
    const fold = new TaskFold(structuredClone(CREATED));
    for (const { event } of written.slice(0, 70)) fold.apply(event, undefined, CHUNK);
    const view = viewTask(store, fold);
    for (const { event } of written.slice(70)) fold.apply(event, undefined, CHUNK);
    expect(await read(view)).toEqual(expectedTask(written.slice(0, 70)));
    expect(await read(viewTask(store, fold))).toEqual(expectedTask(written));
  });

  test('keeps in memory what its journal does not have', async () => {
    const head: Task = { ...CREATED, artifacts: [{ artifactId: 'a', parts: [{ text: 'from before ' }] }] };
    const fold = TaskFold.fromSnapshot(JSON.stringify({ task: head, request: {} }), 1);
    const written = appends('a', 80).map(({ event }) => event);
    written[0] = chunk('a', [{ text: 'more' }], true).event;
    for (const event of written) fold.apply(event, undefined, CHUNK);
    const store = await storeOf(written.map((event) => ({ event })));
    const task = structuredClone(head);
    const byId = artifactsById(task);
    for (const event of written)
      if ('artifactUpdate' in event) applyArtifactUpdate(task, byId, event.artifactUpdate);
    expect(fold.isLarge).toBe(true);
    expect((await read(viewTask(store, fold))).artifacts).toEqual(task.artifacts);
  });

  test('an artifact that is written again and again does not make it large', () => {
    const fold = new TaskFold(structuredClone(CREATED));
    for (let index = 0; index < 200; index += 1) {
      fold.apply(chunk('a', [{ text: `${index}` }], false).event, undefined, CHUNK);
    }
    expect(200 * CHUNK).toBeGreaterThan(LARGE_CHARACTERS);
    expect(fold.isLarge).toBe(false);
    expect(fold.toTask().artifacts?.[0]?.parts).toEqual([{ text: '199' }]);
  });

  test('fails while it is read if it is deleted', async () => {
    const store = await storeOf(appends('a', 90));
    const fold = await folded(store);
    await expect(read(viewTask(openMemoryStore(), fold))).rejects.toMatchObject({ code: 'unknown-task' });
  });
});

describe('a long history', () => {
  const long = 'x'.repeat(300 * 1024);
  const written = Array.from({ length: 6 }, (_, index) => [
    said('TASK_STATE_INPUT_REQUIRED', `question ${index} ${long}`),
    said('TASK_STATE_WORKING', 'thinking', `answer ${index} ${long}`),
  ]).flat();

  test('is read from the journal except for its newest messages', async () => {
    const store = await storeOf(written);
    const fold = await folded(store);
    expect(fold.history.length).toBeLessThan(4);
    expect(fold.history.at(-1)?.parts[0]?.text).toContain('answer 5');
    const { history = [] } = expectedTask(written);
    for (const length of [undefined, 0, 1, 2, 5, 13, 100]) {
      const expected = length === undefined ? history : length === 0 ? undefined : history.slice(-length);
      expect((await read(viewTask(store, fold, length))).history).toEqual(expected);
    }
    const again = TaskFold.fromSnapshot(fold.toSnapshot(), fold.sequence);
    expect((await read(viewTask(store, again))).history).toEqual(history);
  });
});
