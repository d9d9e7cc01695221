import { FORK_EXTENSION, type SendMessageRequest, type Task } from '@holdword/protocol';
import { openMemoryStore } from '@holdword/store';
import { describe, expect, test } from 'vitest';
import { headerOf, ME } from '../engine/testing/start-test-engine.ts';
import { loadFold } from '../engine/task-fold.ts';
import type { Sink, Turn } from '../executors/executor.ts';
import {
  readStream,
  requestContext,
  send,
  sendForTask,
  startTestOperations,
  taskIn,
} from './testing/start-test-operations.ts';

/** Asks twice, then completes; each turn leaves an artifact that says how many messages it saw. */
async function interview({ task, message }: Turn, sink: Sink): Promise<void> {
  const seen = task.history?.length ?? 0;
  await sink.artifact({ artifactId: `seen-${seen}`, parts: String(seen) });
  if (seen === 1) await sink.askInput('Which colour?');
  else if (seen === 3) await sink.askInput('Which size?');
  else await sink.complete(`done: ${message.parts[0]?.text}`);
}

/** An interview that has ended: it asked at 4 and at 7, and completed at 10. */
async function startInterview() {
  const started = await startTestOperations(interview);
  const { operations } = started;
  const { id } = await sendForTask(operations, 'begin');
  await sendForTask(operations, 'red', { taskId: id });
  const ended = await sendForTask(operations, 'large', { taskId: id });
  expect(ended.status.state).toBe('TASK_STATE_COMPLETED');
  return { ...started, ended };
}

function fork(text: string, metadata: object, more: Partial<SendMessageRequest> = {}): SendMessageRequest {
  return send(text, {}, { metadata: { [FORK_EXTENSION]: metadata }, ...more });
}

function texts({ history = [] }: Task): unknown {
  return history.map(({ parts }) => parts[0]?.text);
}

describe('a fork', () => {
  test('goes on from where the task asked, with another answer', async () => {
    const { operations, engine, ended } = await startInterview();
    const before = await engine.store.readEvents(ended.id, 0, 100);
    const request = fork('blue', { taskId: ended.id, at: 4 });
    const forked = taskIn(await operations.sendMessage(request, requestContext()));
    expect(forked.id).not.toBe(ended.id);
    expect(forked.contextId).not.toBe(ended.contextId);
    expect(texts(forked)).toEqual(['begin', 'Which colour?', 'blue', 'Which size?']);
    expect(forked.history?.every(({ taskId }) => taskId === forked.id)).toBe(true);
    expect(forked.artifacts?.map(({ artifactId }) => artifactId)).toEqual(['seen-1', 'seen-3']);
    expect(forked.metadata?.[FORK_EXTENSION]).toEqual({ taskId: ended.id, at: 4 });
    const further = await sendForTask(operations, 'small', { taskId: forked.id });
    expect(further.status).toMatchObject({
      state: 'TASK_STATE_COMPLETED',
      message: { parts: [{ text: 'done: small' }] },
    });
    expect(await engine.store.readEvents(ended.id, 0, 100)).toEqual(before);
  });

  test('of a task that has ended goes on after its end', async () => {
    const { operations, ended } = await startInterview();
    const request = fork('again', { taskId: ended.id, at: 10 });
    const forked = taskIn(await operations.sendMessage(request, requestContext()));
    expect(forked.status.state).toBe('TASK_STATE_COMPLETED');
    expect(texts(forked)).toEqual([...(texts(ended) as string[]), 'again', 'done: again']);
  });

  test('waits for its user if its message does not start it', async () => {
    const { operations, ended, engine } = await startInterview();
    const request = fork('ignored', { taskId: ended.id, at: 4, start: false });
    const waiting = taskIn(await operations.sendMessage(request, requestContext()));
    expect(waiting.status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { taskId: waiting.id, parts: [{ text: 'Which colour?' }] },
    });
    expect(texts(waiting)).toEqual(['begin', 'Which colour?']);
    expect((await headerOf(engine.store, waiting.id)).lastSequence).toBe(1);
    const answered = await sendForTask(operations, 'green', { taskId: waiting.id });
    expect(texts(answered)).toEqual(['begin', 'Which colour?', 'green', 'Which size?']);
    const afterEnd = fork('ignored', { taskId: ended.id, at: 10, start: false });
    const { events } = await readStream(operations.sendStreamingMessage(afterEnd, requestContext()));
    expect(events).toMatchObject([{ task: { status: { state: 'TASK_STATE_INPUT_REQUIRED' } } }]);
  });

  test('has its events as one commit, which a fold reads like any other', async () => {
    const { operations, ended, engine } = await startInterview();
    const request = fork('blue', { taskId: ended.id, at: 4 });
    const { id } = taskIn(await operations.sendMessage(request, requestContext()));
    const fold = await loadFold(engine.store, id);
    expect(fold?.toTask()).toEqual(await operations.getTask({ id }, requestContext()));
  });

  test('is made once for one key, also if the task is gone by then (J8)', async () => {
    const { operations, ended, engine } = await startInterview();
    const context = requestContext({ idempotencyKey: 'k' });
    const request = fork('blue', { taskId: ended.id, at: 4 });
    const answers = await Promise.all([1, 2, 3].map(() => operations.sendMessage(request, context)));
    const ids = new Set(answers.map((answer) => taskIn(answer).id));
    expect(ids.size).toBe(1);
    await engine.store.retention?.deleteTask(ended.id);
    expect(ids).toContain(taskIn(await operations.sendMessage(request, context)).id);
    await expect(
      operations.sendMessage(fork('blue', { taskId: ended.id, at: 7 }), context),
    ).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    const held = requestContext({ idempotencyKey: 'held' });
    const waiting = fork('blue', { taskId: [...ids][0], at: 1 });
    await expect(operations.sendMessage(waiting, held)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  });

  test('that waits is made once for one key, too', async () => {
    const { operations, ended } = await startInterview();
    const context = requestContext({ idempotencyKey: 'k' });
    const request = fork('blue', { taskId: ended.id, at: 4, start: false });
    const answers = await Promise.all([1, 2, 3].map(() => operations.sendMessage(request, context)));
    expect(new Set(answers.map((answer) => taskIn(answer).id)).size).toBe(1);
  });

  test('of a large task has all of its content', async () => {
    const chunk = 'x'.repeat(1024 * 1024);
    const { operations } = await startTestOperations(async ({ task }, sink) => {
      if ((task.history?.length ?? 0) > 1) return;
      for (let count = 0; count < 6; count += 1)
        await sink.artifact({ artifactId: 'a', parts: chunk, append: count > 0 });
      await sink.askInput('More?');
    });
    const { id } = await sendForTask(operations, 'go');
    const request = fork('no', { taskId: id, at: 9, start: false });
    const forked = taskIn(await operations.sendMessage(request, requestContext()));
    expect(forked.artifacts?.[0]?.parts[0]?.text?.length).toBe(6 * chunk.length);
    const answered = await sendForTask(operations, 'no', { taskId: forked.id });
    expect(answered.artifacts?.[0]?.parts[0]?.text?.length).toBe(6 * chunk.length);
  });

  test('of a long conversation has every message once', async () => {
    const long = 'y'.repeat(400 * 1024);
    const { operations } = await startTestOperations((_turn, sink) => sink.askInput('More?'));
    const { id } = await sendForTask(operations, `0 ${long}`);
    for (const count of [1, 2, 3, 4]) await sendForTask(operations, `${count} ${long}`, { taskId: id });
    const request = fork('end', { taskId: id, at: 11 });
    const forked = taskIn(await operations.sendMessage(request, requestContext()));
    for (const count of [6, 7, 8]) await sendForTask(operations, `${count} ${long}`, { taskId: forked.id });
    const { history = [] } = await operations.getTask({ id: forked.id }, requestContext());
    const said = history.filter(({ role }) => role === 'ROLE_USER').map(({ parts }) => parts[0]?.text?.[0]);
    expect(said).toEqual(['0', '1', '2', '3', '4', 'e', '6', '7', '8']);
  });
});

describe('a task cannot be forked', () => {
  test.each([
    ['by somebody else', {}, 'TASK_NOT_FOUND', requestContext({ owner: { ...ME, caller: 'you' } })],
    ['that does not exist', { taskId: 'unknown' }, 'TASK_NOT_FOUND'],
    ['at an event that it does not have', { at: 11 }, 'INVALID_PARAMS'],
    ['at no event', { at: 0 }, 'INVALID_PARAMS'],
    ['in the middle of a turn', { at: 6 }, 'INVALID_PARAMS'],
    ['before its first turn', { at: 1 }, 'INVALID_PARAMS'],
    ['with options that are unknown', { from: 3 }, 'INVALID_PARAMS'],
  ])('%s', async (_name, changes, code, context = requestContext()) => {
    const { operations, ended } = await startInterview();
    const request = fork('blue', { taskId: ended.id, at: 4, ...changes });
    await expect(operations.sendMessage(request, context)).rejects.toMatchObject({ code });
    await expect(operations.sendStreamingMessage(request, context)).rejects.toMatchObject({ code });
    expect((await operations.listTasks({}, requestContext())).totalSize).toBe(1);
    expect((await operations.listTasks({}, context)).tasks.length).toBeLessThanOrEqual(1);
  });

  test('in the middle of a turn, and the answer names where it can be', async () => {
    const { operations, ended } = await startInterview();
    const request = fork('blue', { taskId: ended.id, at: 6 });
    await expect(operations.sendMessage(request, requestContext())).rejects.toMatchObject({
      message: expect.stringContaining('4 and 10') as string,
      metadata: { points: '4,10' },
    });
  });

  test('into an existing task', async () => {
    const { operations, ended } = await startInterview();
    const metadata = { [FORK_EXTENSION]: { taskId: ended.id, at: 4 } };
    const request = send('blue', { taskId: ended.id }, { metadata });
    await expect(operations.sendMessage(request, requestContext())).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      fields: [{ field: 'message.taskId' }],
    });
  });

  test('before its last event if its events were removed', async () => {
    const store = openMemoryStore();
    const { operations } = await startTestOperations(interview, { store });
    const { id } = await sendForTask(operations, 'begin');
    await sendForTask(operations, 'red', { taskId: id });
    await sendForTask(operations, 'large', { taskId: id });
    const fold = await loadFold(store, id);
    await store.writeSnapshot(id, { sequence: 10, json: fold?.toSnapshot() ?? '' });
    expect(await store.retention?.trimJournal(id)).toBe(true);
    await expect(
      operations.sendMessage(fork('blue', { taskId: id, at: 4 }), requestContext()),
    ).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
    const forked = taskIn(
      await operations.sendMessage(fork('more', { taskId: id, at: 10 }), requestContext()),
    );
    expect(texts(forked)).toContain('large');
  });
});
