import { isTerminal } from '@holdword/protocol';
import { openMemoryStore } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { describe, expect, test, vi } from 'vitest';
import { gateCommits } from './testing/gate-commits.ts';
import { randomTicks } from './testing/random-ticks.ts';
import { journalOutline, readJournal } from './testing/read-journal.ts';
import { beginTask, headerOf, patient, startTestEngine, turnInput } from './testing/start-test-engine.ts';

test('a task whose process dies is recovered by another process with a heartbeat (J7)', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date', 'performance'] });
  try {
    const store = openMemoryStore();
    const status = { state: 'TASK_STATE_WORKING' as const, time: 0, json: '{"state":"TASK_STATE_WORKING"}' };
    const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
    const entries = [{ json: JSON.stringify({ task }), changesStatus: true }];
    await store.heartbeat('there', 20_000);
    await store.createTask({ taskId: 't', owner: 'me', contextId: 'c', holder: 'there', status, entries });
    const engine = await startTestEngine(async () => {}, { store });
    await vi.advanceTimersByTimeAsync(15_000);
    expect((await headerOf(store, 't')).state).toBe('TASK_STATE_WORKING');
    await vi.advanceTimersByTimeAsync(15_000);
    await engine.reader.settled('t', patient);
    expect((await headerOf(store, 't')).state).toBe('TASK_STATE_FAILED');
  } finally {
    vi.useRealTimers();
  }
});

test('does not start on a store that cannot be read', async () => {
  const store = overrideStore(openMemoryStore(), {
    listOrphans: async () => {
      throw new Error('broken');
    },
  });
  await expect(startTestEngine(async () => {}, { store })).rejects.toThrow('broken');
});

test('a stop waits for commits in flight', async () => {
  const gate = gateCommits(openMemoryStore());
  gate.open();
  const engine = await startTestEngine((_turn, sink) => sink.complete('done'), { store: gate.store });
  const taskId = await beginTask(engine, 'go');
  await engine.reader.settled(taskId, patient);
  gate.close();
  const beginning = beginTask(engine, 'again');
  await expect.poll(() => gate.held).toBe(1);
  let stopped = false;
  const stopping = engine.stop(60_000).then(() => (stopped = true));
  await new Promise(setImmediate);
  expect(stopped).toBe(false);
  gate.open();
  const second = await beginning;
  await stopping;
  expect((await headerOf(engine.store, second)).state).toBe('TASK_STATE_COMPLETED');
});

describe('canceling a task', () => {
  /** An agent that only waits for its signal. */
  const waiting = {
    execute: ({ signal }: { signal: AbortSignal }) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      }),
  };

  describe('cancel', () => {
    test('ends a running task, tells its agent why, and returns the task', async () => {
      let reason: unknown;
      const engine = await startTestEngine(async (turn) => {
        await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
        reason = turn.signal.reason;
      });
      const taskId = await beginTask(engine, 'go');
      const { task } = await engine.cancel(await headerOf(engine.store, taskId));
      expect(task).toMatchObject({ id: taskId, status: { state: 'TASK_STATE_CANCELED' } });
      await expect.poll(() => reason).toMatchObject({ name: 'TurnAborted', reason: 'canceled' });
      expect(await journalOutline(engine.store, taskId)).toEqual(['submitted', 'working', 'canceled']);
    });

    test('ends a queued task, which never runs and whose slot is free', async () => {
      const started: string[] = [];
      const engine = await startTestEngine(async (turn) => {
        started.push(turn.message.parts[0]?.text ?? '');
        await waiting.execute(turn);
      });
      const first = await beginTask(engine, 'one', { contextId: 'talk' });
      const second = await beginTask(engine, 'two', { contextId: 'talk' });
      const third = await beginTask(engine, 'three', { contextId: 'talk' });
      expect(await engine.cancel(await headerOf(engine.store, second))).toMatchObject({
        task: { status: { state: 'TASK_STATE_CANCELED' } },
      });
      expect(engine.turns.activity).toEqual({ running: 1, queued: 1 });
      await engine.cancel(await headerOf(engine.store, first));
      await expect.poll(() => started).toEqual(['one', 'three']);
      await engine.cancel(await headerOf(engine.store, third));
      expect(await journalOutline(engine.store, second)).toEqual(['submitted', 'canceled']);
    });

    test('ends a task that waits for its user, whose agent keeps nothing and whose late answer is rejected', async () => {
      const released: string[] = [];
      const engine = await startTestEngine({
        execute: (_turn, sink) => sink.askInput('which?'),
        release: (id) => released.push(id),
      });
      const taskId = await beginTask(engine, 'go');
      await engine.reader.settled(taskId, patient);
      const header = await headerOf(engine.store, taskId);
      await engine.cancel(header);
      expect(released).toEqual([taskId]);
      await expect(engine.turns.continue(header, turnInput('this', {}, { taskId }))).rejects.toMatchObject({
        code: 'UNSUPPORTED_OPERATION',
      });
    });

    test('a canceled task again changes nothing and returns the same; a task that ended differently cannot be canceled', async () => {
      const engine = await startTestEngine(waiting);
      const taskId = await beginTask(engine, 'go');
      const running = await headerOf(engine.store, taskId);
      const once = await engine.cancel(running);
      expect(await engine.cancel(await headerOf(engine.store, taskId))).toEqual(once);
      expect(await engine.cancel(running)).toEqual(once);
      expect(await journalOutline(engine.store, taskId)).toEqual(['submitted', 'working', 'canceled']);

      const quick = await startTestEngine((_turn, sink) => sink.complete());
      const done = await beginTask(quick, 'go');
      await quick.reader.settled(done, patient);
      await expect(quick.cancel(await headerOf(quick.store, done))).rejects.toMatchObject({
        code: 'TASK_NOT_CANCELABLE',
      });
    });

    test('many times at once is one cancellation', async () => {
      const engine = await startTestEngine(waiting);
      const taskId = await beginTask(engine, 'go');
      const header = await headerOf(engine.store, taskId);
      const tasks = await Promise.all(Array.from({ length: 20 }, () => engine.cancel(header)));
      expect(new Set(tasks.map(({ task }) => task.status.state))).toEqual(new Set(['TASK_STATE_CANCELED']));
      expect(await journalOutline(engine.store, taskId)).toEqual(['submitted', 'working', 'canceled']);
    });

    test('responds only when the state is on disk, and loses against a completion written before it (J1, J6)', async () => {
      const gate = gateCommits(openMemoryStore());
      gate.open();
      const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
      const engine = await startTestEngine(
        async (_turn, sink) => {
          await mayEnd;
          await sink.complete('first');
        },
        { store: gate.store },
      );
      const taskId = await beginTask(engine, 'go');
      const header = await headerOf(engine.store, taskId);
      gate.close();
      end();
      await expect.poll(() => gate.held).toBe(1);
      let answered = false;
      const cancelled = engine.cancel(header).finally(() => (answered = true));
      const refused = expect(cancelled).rejects.toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
      await new Promise(setImmediate);
      expect(answered).toBe(false);
      gate.open();
      await refused;
      expect(await journalOutline(engine.store, taskId)).toEqual(['submitted', 'working', 'completed first']);
    });
  });

  test('against a completion, in 200 random interleavings, leaves exactly one final state (J6)', async () => {
    const engine = await startTestEngine(async (_turn, sink) => {
      await randomTicks(5);
      await sink.artifact({ artifactId: 'answer', parts: '42' });
      await randomTicks(5);
      await sink.complete('done');
    });
    const outcomes = new Map<string, number>();
    const race = async (): Promise<void> => {
      const taskId = await beginTask(engine, 'go');
      await randomTicks(5);
      const cancelled = await engine.cancel(await headerOf(engine.store, taskId)).then(
        ({ task }) => task.status.state,
        (error: { code?: string }) => error.code,
      );
      await engine.reader.settled(taskId, patient);
      await expect.poll(() => engine.turns.activity.running).toBe(0);
      const events = await readJournal(engine.store, taskId);
      const finals = events.flatMap((event) =>
        'statusUpdate' in event && isTerminal(event.statusUpdate.status.state)
          ? [event.statusUpdate.status.state]
          : [],
      );
      expect(finals).toHaveLength(1);
      expect(cancelled).toBe(
        finals[0] === 'TASK_STATE_CANCELED' ? 'TASK_STATE_CANCELED' : 'TASK_NOT_CANCELABLE',
      );
      const journal = JSON.stringify(events);
      expect(journal).toContain('"42"');
      expect((await headerOf(engine.store, taskId)).state).toBe(finals[0]);
      outcomes.set(finals[0] ?? '', (outcomes.get(finals[0] ?? '') ?? 0) + 1);
    };
    for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 10 }, race));
    expect([...outcomes.keys()].toSorted()).toEqual(['TASK_STATE_CANCELED', 'TASK_STATE_COMPLETED']);
    expect([...outcomes.values()].reduce((total, count) => total + count, 0)).toBe(200);
  });
});
