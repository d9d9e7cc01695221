import { setImmediate as nextTurn } from 'node:timers/promises';
import { openMemoryStore } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { describe, expect, test } from 'vitest';
import type { Owner } from '../owner.ts';
import type { Operations, RequestContext } from './operations.ts';
import { decodePageToken, encodePageToken } from './tasks.ts';
import {
  requestContext,
  send,
  sendForTask,
  startTestOperations,
  taskIn,
} from './testing/start-test-operations.ts';

test('getTask returns the whole task, or as much history as requested', async () => {
  const { operations } = await startTestOperations(async (_turn, sink) => {
    await sink.artifact({ artifactId: 'a', parts: '42' });
    await sink.complete('bye');
  });
  const sent = await sendForTask(operations, 'hi');
  expect(await operations.getTask({ id: sent.id }, requestContext())).toEqual(sent);
  const { history, ...rest } = sent;
  expect(await operations.getTask({ id: sent.id, historyLength: 0 }, requestContext())).toEqual(rest);
  expect(await operations.getTask({ id: sent.id, historyLength: 1 }, requestContext())).toEqual({
    ...rest,
    history: history?.slice(-1),
  });
});

test('getTask that waited returns the change of another process, however long the journal is', async () => {
  const store = openMemoryStore();
  // With its creation, its first status and its question, the journal has as many events as are read at a time.
  const { operations: there } = await startTestOperations(
    async (_turn, sink) => {
      for (let chunk = 0; chunk < 509; chunk += 1) await sink.artifact({ artifactId: 'a', parts: '.' });
      await sink.askInput('what?');
    },
    { store },
  );
  let headersRead = 0;
  const observed = overrideStore(store, {
    readTask: (taskId) => {
      headersRead += 1;
      return store.readTask(taskId);
    },
  });
  const { operations: here } = await startTestOperations(async () => {}, { store: observed });
  const context = requestContext({ version: '1.1' });
  const { id, generation } = taskIn(await there.sendMessage(send('go'), context));
  expect(generation).toBe('512');
  const waiting = here.getTask({ id, currentGeneration: 512 }, context);
  // Once to find the task, and once before it sleeps.
  await expect.poll(() => headersRead).toBe(2);
  await there.cancelTask({ id }, context);
  expect(await waiting).toMatchObject({ generation: '513', status: { state: 'TASK_STATE_CANCELED' } });
});

test('getTask says what to do about an unknown id', async () => {
  const { operations } = await startTestOperations(async () => {});
  await expect(operations.getTask({ id: 'unknown' }, requestContext())).rejects.toMatchObject({
    code: 'TASK_NOT_FOUND',
    message: expect.stringContaining('Check the id') as string,
  });
});

test('cancelTask cancels a running task, once or repeatedly, and no task that ended differently', async () => {
  const { operations } = await startTestOperations(async (turn) => {
    if (turn.message.parts[0]?.text === 'end') return;
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
  });
  const configuration = { returnImmediately: true };
  const { id } = taskIn(await operations.sendMessage(send('go', {}, { configuration }), requestContext()));
  const cancelled = await operations.cancelTask({ id }, requestContext());
  expect(cancelled.status.state).toBe('TASK_STATE_CANCELED');
  expect(await operations.cancelTask({ id }, requestContext())).toEqual(cancelled);
  expect(await operations.getTask({ id }, requestContext())).toEqual(cancelled);

  const ended = await sendForTask(operations, 'end');
  await expect(operations.cancelTask({ id: ended.id }, requestContext())).rejects.toMatchObject({
    code: 'TASK_NOT_CANCELABLE',
  });
  await expect(operations.cancelTask({ id: 'unknown' }, requestContext())).rejects.toMatchObject({
    code: 'TASK_NOT_FOUND',
  });
});

test('a task that is deleted while it is read is not found', async () => {
  const memory = openMemoryStore();
  const store = overrideStore(memory, {
    readTask: async (taskId) => {
      const header = await memory.readTask(taskId);
      await memory.retention?.deleteTask(taskId);
      return header;
    },
  });
  const { operations } = await startTestOperations(async (_turn, sink) => sink.complete('bye'), { store });
  for (const operation of ['getTask', 'cancelTask'] as const) {
    const { id } = await sendForTask(operations, 'hi');
    await expect(operations[operation]({ id }, requestContext())).rejects.toMatchObject({
      code: 'TASK_NOT_FOUND',
    });
  }
});

async function startWithTasks(count: number): Promise<{ operations: Operations; ids: string[] }> {
  const { operations } = await startTestOperations(async (turn, sink) => {
    const text = turn.message.parts[0]?.text ?? '';
    await sink.artifact({ artifactId: 'a', parts: text });
    await (text.startsWith('ask') ? sink.askInput('?') : sink.complete('bye'));
  });
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const text = index % 3 === 0 ? `ask ${index}` : `do ${index}`;
    ids.unshift((await sendForTask(operations, text, { contextId: `context-${index % 2}` })).id);
  }
  return { operations, ids };
}

/** Tasks are ordered by time: one that changes within a millisecond keeps its position. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await nextTurn();
}

test('listTasks returns the newest first, without history and artifacts unless requested', async () => {
  const { operations, ids } = await startWithTasks(3);
  const page = await operations.listTasks({}, requestContext());
  expect(page).toMatchObject({ nextPageToken: '', pageSize: 50, totalSize: 3 });
  expect(page.tasks.map(({ id }) => id)).toEqual(ids);
  for (const task of page.tasks) {
    expect(task).not.toHaveProperty('artifacts');
    expect(task).not.toHaveProperty('history');
    const whole = await operations.getTask({ id: task.id }, requestContext());
    expect(task.status).toEqual(whole.status);
  }
  const full = await operations.listTasks({ includeArtifacts: true, historyLength: 1 }, requestContext());
  for (const task of full.tasks) {
    expect(task).toEqual(await operations.getTask({ id: task.id, historyLength: 1 }, requestContext()));
  }
  const artifactsOnly = await operations.listTasks({ includeArtifacts: true }, requestContext());
  for (const task of artifactsOnly.tasks) {
    expect(task.artifacts).toHaveLength(1);
    expect(task).not.toHaveProperty('history');
  }
});

test('listTasks says so if a task has no artifacts and they were requested', async () => {
  const { operations } = await startTestOperations(async () => {});
  await sendForTask(operations, 'go');
  expect(
    (await operations.listTasks({ includeArtifacts: true }, requestContext())).tasks[0]?.artifacts,
  ).toEqual([]);
});

describe('filters', () => {
  test('by context and by status, separately and together', async () => {
    const { operations, ids } = await startWithTasks(12);
    const total = async (request: Parameters<Operations['listTasks']>[0]): Promise<number> => {
      const page = await operations.listTasks(request, requestContext());
      expect(page.tasks).toHaveLength(page.totalSize);
      return page.totalSize;
    };
    expect(ids).toHaveLength(12);
    expect(await total({ contextId: 'context-0' })).toBe(6);
    expect(await total({ contextId: 'unknown' })).toBe(0);
    expect(await total({ status: 'TASK_STATE_INPUT_REQUIRED' })).toBe(4);
    expect(await total({ contextId: 'context-1', status: 'TASK_STATE_COMPLETED' })).toBe(4);
    expect(await total({ status: 'TASK_STATE_FAILED' })).toBe(0);
  });

  test('by time, including the given moment', async () => {
    const { operations } = await startWithTasks(3);
    const { tasks } = await operations.listTasks({}, requestContext());
    const newest = tasks[0]?.status.timestamp ?? '';
    const after = async (statusTimestampAfter: string): Promise<(string | undefined)[]> =>
      (await operations.listTasks({ statusTimestampAfter }, requestContext())).tasks.map(
        ({ status }) => status.timestamp,
      );
    const listed = await after(newest);
    expect(listed.length).toBeGreaterThan(0);
    expect(listed.every((time) => time === newest)).toBe(true);
    expect(await after(new Date(Date.parse(newest) + 1).toISOString())).toEqual([]);
    expect(await after('2000-01-01T00:00:00.000Z')).toHaveLength(3);
  });
});

describe('pages', () => {
  test('together are the whole list, whatever their size', async () => {
    const { operations, ids } = await startWithTasks(10);
    for (const pageSize of [1, 3, 10, 100]) {
      const listed: string[] = [];
      let pageToken = '';
      do {
        const page = await operations.listTasks({ pageSize, pageToken }, requestContext());
        expect(page).toMatchObject({ pageSize, totalSize: 10 });
        expect(page.tasks.length).toBeLessThanOrEqual(pageSize);
        listed.push(...page.tasks.map(({ id }) => id));
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      expect(listed).toEqual(ids);
    }
  });

  test('stay exact when tasks are added and move between them', async () => {
    const { operations, ids } = await startWithTasks(6);
    const first = await operations.listTasks({ pageSize: 3 }, requestContext());
    await sendForTask(operations, 'do more');
    const moved =
      (await operations.listTasks({ status: 'TASK_STATE_INPUT_REQUIRED' }, requestContext())).tasks.at(-1)
        ?.id ?? '';
    await nextMillisecond();
    await operations.cancelTask({ id: moved }, requestContext());
    const rest = await operations.listTasks(
      { pageSize: 10, pageToken: first.nextPageToken },
      requestContext(),
    );
    expect(rest.tasks.map(({ id }) => id)).toEqual(ids.slice(3).filter((id) => id !== moved));
  });

  test('of another server are rejected', async () => {
    const { operations } = await startTestOperations(async () => {});
    await expect(operations.listTasks({ pageToken: 'nonsense' }, requestContext())).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      fields: [{ field: 'pageToken' }],
    });
  });
});

test('a page token leads back to its position and reveals nothing', () => {
  const cursor = { statusTime: 1_700_000_000_000, tieBreak: 42 };
  const token = encodePageToken(cursor);
  expect(token).toMatch(/^[\w-]+$/);
  expect(decodePageToken(token)).toEqual(cursor);
});

test.each([
  '',
  'x',
  'bm9wZQ',
  '!!!',
  encode('null'),
  encode('{}'),
  encode('[1]'),
  encode('["1",2]'),
  encode('[1,2.5]'),
  encode('[1,1e300]'),
])('any other page token is rejected with the field: %s', (token) => {
  expect(() => decodePageToken(token)).toThrow(
    expect.objectContaining({
      code: 'INVALID_PARAMS',
      fields: [expect.objectContaining({ field: 'pageToken' })],
    }),
  );
});

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}

describe('a page of large tasks', () => {
  const MIB = 1024 * 1024;

  test('ends early, and the next one continues where it ended', async () => {
    const { operations } = await startTestOperations((_turn, sink) => sink.complete('x'.repeat(MIB)));
    const sent: string[] = [];
    for (let index = 0; index < 12; index += 1) sent.unshift((await sendForTask(operations, 'go')).id);
    const listed: string[] = [];
    const sizes: number[] = [];
    let pageToken = '';
    do {
      const page = await operations.listTasks(
        { historyLength: 5, pageSize: 100, pageToken },
        requestContext(),
      );
      listed.push(...page.tasks.map(({ id }) => id));
      sizes.push(JSON.stringify(page).length);
      expect(page.totalSize).toBe(12);
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(listed).toEqual(sent);
    expect(Math.max(...sizes)).toBeLessThan(7 * MIB);
    expect(sizes.length).toBeGreaterThan(3);
  });

  test('ends with a task that is read while it is written, which other callers get whole', async () => {
    const { operations } = await startTestOperations(async (turn, sink) => {
      if (turn.message.parts[0]?.text === 'small') return;
      for (let index = 0; index < 6; index += 1)
        await sink.artifact({ artifactId: 'a', parts: 'x'.repeat(MIB), append: index > 0 });
    });
    await sendForTask(operations, 'small');
    const large = await sendForTask(operations, 'large');
    await sendForTask(operations, 'small');
    expect(large.artifacts?.[0]?.parts).toEqual([{ text: 'x'.repeat(6 * MIB) }]);
    const page = await operations.listTasks({ includeArtifacts: true }, requestContext());
    expect(page.tasks.map(({ id }) => id)[1]).toBe(large.id);
    expect(page.tasks).toHaveLength(2);
    expect(page.tasks[1]?.artifacts).toEqual(large.artifacts);
    const { pageSize, nextPageToken: pageToken } = page;
    const rest = await operations.listTasks(
      { includeArtifacts: true, pageSize, pageToken },
      requestContext(),
    );
    expect(rest).toMatchObject({ tasks: [{ artifacts: [] }], nextPageToken: '', totalSize: 3 });
  });
});

test('a task that is too large for one message is rejected with what to do instead', async () => {
  const { operations } = await startTestOperations(async (_turn, sink) => {
    for (let index = 0; index < 34; index += 1)
      await sink.artifact({ artifactId: 'a', parts: 'x'.repeat(1024 * 1024), append: index > 0 });
    await sink.askInput('more?');
  });
  const configuration = { returnImmediately: true };
  const { id } = taskIn(await operations.sendMessage(send('go', {}, { configuration }), requestContext()));
  await expect
    .poll(async () => (await operations.listTasks({}, requestContext())).tasks[0]?.status.state)
    .toBe('TASK_STATE_INPUT_REQUIRED');
  const tooLarge = {
    code: 'UNSUPPORTED_OPERATION',
    message: expect.stringMatching(/larger than 33554432 bytes.*JSON-RPC or REST.*resume.*cursor/) as string,
  };
  await expect(operations.getTask({ id }, requestContext())).rejects.toMatchObject(tooLarge);
  await expect(operations.subscribeToTask({ id }, requestContext())).rejects.toMatchObject(tooLarge);
  const pieces = requestContext({ readsPieces: true });
  expect(await operations.getTask({ id }, pieces)).toMatchObject({ id });
});

const STRANGERS: Record<string, Owner> = {
  'another caller': { tenant: '', caller: 'you', authenticated: true },
  'the same name in another tenant': { tenant: 'other', caller: 'me', authenticated: true },
  'an anonymous caller': { tenant: '', caller: 'me', authenticated: false },
};

const OPERATIONS: Record<
  string,
  (operations: Operations, taskId: string, context: RequestContext) => Promise<unknown>
> = {
  getTask: (operations, id, context) => operations.getTask({ id }, context),
  cancelTask: (operations, id, context) => operations.cancelTask({ id }, context),
  subscribeToTask: (operations, id, context) => operations.subscribeToTask({ id }, context),
  sendMessage: (operations, taskId, context) => operations.sendMessage(send('x', { taskId }), context),
  sendStreamingMessage: (operations, taskId, context) =>
    operations.sendStreamingMessage(send('x', { taskId }), context),
};

describe.each(Object.entries(STRANGERS))('to %s (J9)', (_name, owner) => {
  test.each(Object.entries(OPERATIONS))(
    '%s responds as if the task did not exist',
    async (_operation, perform) => {
      const { operations } = await startTestOperations((_turn, sink) => sink.askInput('?'));
      const { id } = await sendForTask(operations, 'go');
      const strange = await perform(operations, id, requestContext({ owner })).catch(
        (error: unknown) => error,
      );
      const unknown = await perform(operations, 'unknown', requestContext({ owner })).catch(
        (error: unknown) => error,
      );
      expect(strange).toMatchObject({ code: 'TASK_NOT_FOUND' });
      expect(String(strange).replace(id, 'unknown')).toBe(String(unknown));
      expect((await operations.getTask({ id }, requestContext())).status.state).toBe(
        'TASK_STATE_INPUT_REQUIRED',
      );
    },
  );

  test('listTasks returns nothing, and contexts with the same name are separate', async () => {
    const histories: number[] = [];
    const { operations } = await startTestOperations(async (turn) => {
      histories.push((await turn.contextHistory()).length);
    });
    await sendForTask(operations, 'go', { contextId: 'shared' });
    expect(await operations.listTasks({ contextId: 'shared' }, requestContext({ owner }))).toMatchObject({
      tasks: [],
      totalSize: 0,
    });
    await operations.sendMessage(send('go', { contextId: 'shared' }), requestContext({ owner }));
    expect(histories).toEqual([0, 0]);
    expect((await operations.listTasks({}, requestContext({ owner }))).totalSize).toBe(1);
    expect((await operations.listTasks({}, requestContext())).totalSize).toBe(1);
  });
});
