import type { TaskState } from '@holdword/protocol';
import { openMemoryStore, StoreError, type Store, type TaskHeader } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { describe, expect, test } from 'vitest';
import type { Sink, Turn } from '../executors/executor.ts';
import { LiveTasks } from './live-tasks.ts';
import { noopLog } from '../log.ts';
import { journalOutline } from './testing/read-journal.ts';
import {
  beginTask,
  headerOf,
  patient,
  startTestEngine,
  turnInput,
  userMessage,
} from './testing/start-test-engine.ts';

/** What a process that died suddenly leaves behind: a task in the given state, held by no living process. */
async function leaveBehind(store: Store, taskId: string, state: TaskState): Promise<void> {
  const live = new LiveTasks({ store, log: noopLog, includeSequence: true }, 'dead').begin(taskId, {
    contextId: `context of ${taskId}`,
    owner: '["","me"]',
  });
  const message = userMessage(`do ${taskId}`);
  live.writeCreated(
    {
      id: taskId,
      contextId: `context of ${taskId}`,
      status: { state: 'TASK_STATE_SUBMITTED' },
      history: [message],
    },
    { internal: { request: { metadata: { from: 'before' } } } },
  );
  if (state !== 'TASK_STATE_SUBMITTED') {
    live.writeStatus('TASK_STATE_WORKING');
    live.writeArtifact({ artifact: { artifactId: 'a', parts: [{ text: 'half' }] } });
  }
  if (state !== 'TASK_STATE_SUBMITTED' && state !== 'TASK_STATE_WORKING') live.writeStatus(state);
  await live.flushed();
}

/** Starts an engine that is told to recover a task which by now waits for its user. */
async function startWithStaleList(resumable: boolean): Promise<{ store: Store; executed: number }> {
  const memory = openMemoryStore();
  await leaveBehind(memory, 't', 'TASK_STATE_INPUT_REQUIRED');
  const stale: TaskHeader = { ...(await headerOf(memory, 't')), state: 'TASK_STATE_WORKING' };
  let asked = 0;
  const store = overrideStore(memory, { listOrphans: async () => (asked++ === 0 ? [stale] : []) });
  let executed = 0;
  const run = async (): Promise<void> => void (executed += 1);
  const engine = await startTestEngine({ execute: run, ...(resumable && { resume: run }) }, { store });
  await expect.poll(() => engine.turns.activity).toEqual({ running: 0, queued: 0 });
  return { store, executed };
}

describe('after a restart (J7)', () => {
  test('a submitted task is run, with everything that came with its message', async () => {
    const store = openMemoryStore();
    await leaveBehind(store, 't', 'TASK_STATE_SUBMITTED');
    const turns: Turn[] = [];
    const engine = await startTestEngine(
      async (turn, sink) => {
        turns.push(turn);
        await sink.complete('done');
      },
      { store },
    );
    await engine.reader.settled('t', patient);
    expect(await journalOutline(store, 't')).toEqual(['submitted', 'working', 'completed done']);
    expect(turns).toMatchObject([
      {
        attempt: 1,
        message: { parts: [{ text: 'do t' }] },
        metadata: { from: 'before' },
        owner: { tenant: '', caller: 'me', authenticated: true },
      },
    ]);
  });

  test('a working task fails with a reason, and keeps its artifacts', async () => {
    const store = openMemoryStore();
    await leaveBehind(store, 't', 'TASK_STATE_WORKING');
    let executed = false;
    const engine = await startTestEngine(async () => void (executed = true), { store });
    const lines = await journalOutline(store, 't');
    expect(lines.slice(0, 3)).toEqual(['submitted', 'working', 'artifact a half']);
    expect(lines.at(-1)).toMatch(
      /^failed Interrupted: the server stopped, or lost its store, while .* again with a new message ID\./,
    );
    expect(lines).toHaveLength(4);
    expect(executed).toBe(false);
    expect(engine.turns.activity).toEqual({ running: 0, queued: 0 });
  });

  test('a working task is resumed if its executor supports that', async () => {
    const store = openMemoryStore();
    await leaveBehind(store, 't', 'TASK_STATE_WORKING');
    const turns: Turn[] = [];
    const engine = await startTestEngine(
      {
        execute: async () => {
          throw new Error('A resumed turn is not executed.');
        },
        resume: async (turn, sink) => {
          turns.push(turn);
          await sink.artifact({ artifactId: 'a', parts: ' and half', append: true });
        },
      },
      { store },
    );
    await engine.reader.settled('t', patient);
    expect(await journalOutline(store, 't')).toEqual([
      'submitted',
      'working',
      'artifact a half',
      'working',
      'artifact+ a  and half',
      'completed',
    ]);
    expect(turns).toMatchObject([{ attempt: 2, task: { artifacts: [{ artifactId: 'a' }] } }]);
  });

  test('a turn that is resumed finds its last checkpoint, and the next turn none', async () => {
    const store = openMemoryStore();
    const first = await startTestEngine(
      {
        execute: async (turn, sink) => {
          await sink.status('Reading.', { checkpoint: { page: 1 } });
          await sink.artifact({ artifactId: 'a', parts: 'text', checkpoint: { page: 2 } });
          await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
        },
        resume: async () => {},
      },
      { store },
    );
    const taskId = await beginTask(first, 'hello');
    await first.stop(0);
    const found: unknown[] = [];
    const run = async (turn: Turn, sink: Sink): Promise<void> => {
      found.push(turn.checkpoint);
      await sink.askInput('More?');
    };
    const second = await startTestEngine({ execute: run, resume: run }, { store });
    await second.reader.settled(taskId, patient);
    await second.turns.continue(await headerOf(store, taskId), turnInput('more', {}, { taskId }));
    await expect.poll(() => found).toEqual([{ page: 2 }, undefined]);
    expect((await journalOutline(store, taskId)).join()).not.toContain('page');
  });

  test.each(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_COMPLETED'] as const)(
    'a task in %s stays unchanged',
    async (state) => {
      const store = openMemoryStore();
      await leaveBehind(store, 't', state);
      const before = await headerOf(store, 't');
      await startTestEngine(async () => {}, { store });
      expect(await headerOf(store, 't')).toEqual(before);
    },
  );

  test('more tasks than may run or wait are all completed', async () => {
    const store = openMemoryStore();
    const ids = Array.from({ length: 250 }, (_, index) => `t${index}`);
    for (const id of ids) await leaveBehind(store, id, 'TASK_STATE_SUBMITTED');
    const engine = await startTestEngine((_turn, sink) => sink.complete(), {
      store,
      maxConcurrentTurns: 4,
      maxQueuedTurns: 1,
    });
    await Promise.all(ids.map((id) => engine.reader.settled(id, patient)));
    for (const id of ids)
      expect(await journalOutline(store, id)).toEqual(['submitted', 'working', 'completed']);
  });

  test('a task that cannot be recovered does not block others', async () => {
    const memory = openMemoryStore();
    await leaveBehind(memory, 'bad', 'TASK_STATE_WORKING');
    await leaveBehind(memory, 'good', 'TASK_STATE_WORKING');
    const store = overrideStore(memory, {
      acquireLease: async (taskId, holder) => {
        if (taskId === 'bad') throw new Error('broken');
        return memory.acquireLease(taskId, holder);
      },
    });
    const engine = await startTestEngine(async () => {}, { store });
    expect((await headerOf(store, 'good')).state).toBe('TASK_STATE_FAILED');
    expect(engine.logged.filter((line) => line.includes('Could not recover an orphaned task'))).toHaveLength(
      1,
    );
  });
});

async function startWithSickTask(leaseMilliseconds: number) {
  const memory = openMemoryStore();
  await leaveBehind(memory, 'sick', 'TASK_STATE_SUBMITTED');
  await leaveBehind(memory, 'well', 'TASK_STATE_SUBMITTED');
  let reads = 0;
  let beats = 0;
  const store = overrideStore(memory, {
    heartbeat: async (holder, ttl) => {
      beats += 1;
      return memory.heartbeat(holder, ttl);
    },
    readEvents: async (taskId, after, limit) => {
      const events = await memory.readEvents(taskId, after, limit);
      if (taskId !== 'sick') return events;
      reads += 1;
      return events.map((event) => ({ ...event, json: '{"broken' }));
    },
  });
  const engine = await startTestEngine((_turn, sink) => sink.complete(), { store, leaseMilliseconds });
  return { engine, memory, reads: () => reads, beats: () => beats };
}

describe('a task whose events cannot be read', () => {
  test('fails after a few attempts, while others run at once', async () => {
    const { engine, memory, reads } = await startWithSickTask(300);
    await engine.reader.settled('well', patient);
    await expect
      .poll(async () => (await headerOf(memory, 'sick')).state, { timeout: 20_000 })
      .toBe('TASK_STATE_FAILED');
    expect((await journalOutline(memory, 'sick')).at(-1)).toMatch(/^failed The task could not be continued/);
    expect(reads()).toBeLessThan(10);
    const told = engine.logged.filter((line) => line.includes('Could not recover'));
    expect(told).toEqual([expect.stringMatching(/holdword tasks delete.*sick/)]);
  });

  test('is not read again with every heartbeat', async () => {
    const { reads, beats } = await startWithSickTask(30);
    await expect.poll(beats).toBeGreaterThan(20);
    expect(reads()).toBeLessThan(6);
  });
});

function unread(): never {
  throw new Error('Nothing should be read.');
}

test('a working task is failed without reading its events', async () => {
  const memory = openMemoryStore();
  await leaveBehind(memory, 't', 'TASK_STATE_WORKING');
  const changes: unknown[] = [];
  await startTestEngine(async () => {}, {
    store: overrideStore(memory, { readEvents: unread, readSnapshot: unread }),
    observer: { stateChanged: (change) => changes.push(change) },
  });
  expect((await headerOf(memory, 't')).state).toBe('TASK_STATE_FAILED');
  expect(changes).toEqual([
    { taskId: 't', ownerKey: '["","me"]', state: 'TASK_STATE_FAILED', from: 'TASK_STATE_WORKING' },
  ]);
});

test('tasks that stay orphans do not hide those behind them', async () => {
  const memory = openMemoryStore();
  const bad = Array.from({ length: 450 }, (_, index) => `bad ${index}`);
  for (const id of [...bad, 'good']) await leaveBehind(memory, id, 'TASK_STATE_WORKING');
  const store = overrideStore(memory, {
    acquireLease: async (taskId, holder) => {
      if (taskId !== 'good') throw new Error('broken');
      return memory.acquireLease(taskId, holder);
    },
  });
  const engine = await startTestEngine(async () => {}, { store });
  expect((await headerOf(store, 'good')).state).toBe('TASK_STATE_FAILED');
  expect(engine.logged.filter((line) => line.includes('Could not recover an orphaned task'))).toHaveLength(
    450,
  );
});

test('an orphan that another process recovered first is skipped', async () => {
  const memory = openMemoryStore();
  await leaveBehind(memory, 't', 'TASK_STATE_WORKING');
  const store = overrideStore(memory, { acquireLease: async () => undefined });
  const engine = await startTestEngine(async () => {}, { store });
  expect(engine.logged).toEqual([]);
});

test('a task whose output the store did not take fails with that reason, not as if the server had stopped', async () => {
  const memory = openMemoryStore();
  let isDamaged = false;
  const store = overrideStore(memory, {
    append: async (append) => {
      if (isDamaged) throw new StoreError('corrupt', 'A page is damaged.');
      return memory.append(append);
    },
  });
  const engine = await startTestEngine(
    async (_turn, sink) => {
      isDamaged = true;
      await sink.complete('lost');
    },
    { store, leaseMilliseconds: 300 },
  );
  const taskId = await beginTask(engine, 'go');
  await expect.poll(() => engine.logged.join('\n')).toContain('What the agent wrote was given up');
  expect(engine.logged.find((line) => line.includes('given up'))).toContain(taskId);
  isDamaged = false;
  await expect
    .poll(async () => (await journalOutline(store, taskId)).at(-1))
    .toMatch(
      /^failed Interrupted: the store of the server was unavailable, .* given up\. .* new message ID\.$/,
    );
  expect(engine.logged.join('\n')).not.toContain('process ended');
});

describe('an outdated list of orphans', () => {
  test.each([true, false])(
    'changes no task that another process has advanced (resumable: %s)',
    async (resumable) => {
      const { store, executed } = await startWithStaleList(resumable);
      expect((await headerOf(store, 't')).state).toBe('TASK_STATE_INPUT_REQUIRED');
      expect(executed).toBe(0);
    },
  );
});

test('several restarts of one task at the same time run its message once', async () => {
  const store = openMemoryStore();
  await leaveBehind(store, 't', 'TASK_STATE_SUBMITTED');
  const header = await headerOf(store, 't');
  const executed: string[] = [];
  const engine = await startTestEngine(
    async (turn, sink) => {
      executed.push(turn.message.parts[0]?.text ?? '');
      await sink.askInput('more?');
    },
    { store: overrideStore(store, { listOrphans: async () => [] }) },
  );
  await Promise.all([
    engine.turns.restart(header, { resumed: false }),
    engine.turns.restart(header, { resumed: false }),
    engine.turns.restart(header, { resumed: false }),
  ]);
  await expect.poll(() => engine.turns.activity).toEqual({ running: 0, queued: 0 });
  expect(executed).toEqual(['do t']);
});
