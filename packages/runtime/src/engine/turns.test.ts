import { openMemoryStore, StoreError } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { describe, expect, test } from 'vitest';
import type { Executor, Sink, Turn } from '../executors/executor.ts';
import { RetryableError } from '../executors/executor-errors.ts';
import { gateCommits } from './testing/gate-commits.ts';
import { journalOutline } from './testing/read-journal.ts';
import {
  beginTask,
  headerOf,
  patient,
  startTestEngine,
  taskIdOf,
  turnInput,
  type TestEngine,
} from './testing/start-test-engine.ts';

/** An executor whose turns wait until the test ends them. */
interface HeldTurns extends Executor {
  readonly started: string[];
  /** Ends the turn with the given text; completes it by default. */
  end(text: string, how?: (sink: Sink) => Promise<void>): void;
}

function heldTurns(more: Partial<Executor> = {}, options: { heedsSignal?: boolean } = {}): HeldTurns {
  const started: string[] = [];
  const waiting = new Map<string, (how: (sink: Sink) => Promise<void>) => void>();
  const run = async (turn: Turn, sink: Sink): Promise<void> => {
    const text = turn.message.parts[0]?.text ?? '';
    started.push(text);
    const { promise, resolve, reject } = Promise.withResolvers<(sink: Sink) => Promise<void>>();
    waiting.set(text, resolve);
    if (options.heedsSignal !== false) {
      turn.signal.addEventListener('abort', () => reject(turn.signal.reason as Error));
    }
    await (
      await promise
    )(sink);
  };
  return {
    execute: run,
    started,
    end: (text, how = (sink) => sink.complete()) => waiting.get(text)?.(how),
    ...more,
  };
}

async function untilStarted(executor: HeldTurns, text: string): Promise<void> {
  await expect.poll(() => executor.started).toContain(text);
}

async function untilIdle(engine: TestEngine): Promise<void> {
  await expect.poll(() => engine.turns.activity).toEqual({ running: 0, queued: 0 });
}

async function stateOf(engine: TestEngine, taskId: string): Promise<string> {
  return (await headerOf(engine.store, taskId)).state;
}

describe('begin', () => {
  test('puts the message on disk before the executor starts', async () => {
    const gate = gateCommits(openMemoryStore());
    const executor = heldTurns();
    const engine = await startTestEngine(executor, { store: gate.store });
    const beginning = engine.turns.begin(turnInput('go'));
    await expect.poll(() => gate.held).toBe(1);
    expect(executor.started).toEqual([]);
    gate.open();
    const taskId = taskIdOf(await beginning);
    await untilStarted(executor, 'go');
    expect(await journalOutline(engine.store, taskId)).toEqual(['submitted', 'working']);
    executor.end('go');
    await engine.reader.settled(taskId, patient);
  });

  test('waits for its turn in the context as a submitted task (J10)', async () => {
    const executor = heldTurns();
    const engine = await startTestEngine(executor);
    await beginTask(engine, 'one', { contextId: 'talk' });
    const second = await beginTask(engine, 'two', { contextId: 'talk' });
    await untilStarted(executor, 'one');
    expect(executor.started).toEqual(['one']);
    expect(engine.turns.activity).toEqual({ running: 1, queued: 1 });
    expect(await stateOf(engine, second)).toBe('TASK_STATE_SUBMITTED');
    executor.end('one');
    await untilStarted(executor, 'two');
    expect(await stateOf(engine, second)).toBe('TASK_STATE_WORKING');
    executor.end('two');
    await untilIdle(engine);
  });

  test('is rejected when the queue is full, and leaves nothing behind', async () => {
    const executor = heldTurns();
    const engine = await startTestEngine(executor, { maxConcurrentTurns: 1, maxQueuedTurns: 0 });
    await beginTask(engine, 'one');
    await expect(beginTask(engine, 'two')).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED' });
    executor.end('one');
    await untilIdle(engine);
    const page = await engine.store.listTasks({ owner: '["","me"]', limit: 10 });
    expect(page.totalSize).toBe(1);
  });

  test('a store that rejects everything is reported to the caller, and the slot is released', async () => {
    const memory = openMemoryStore();
    let broken = true;
    const store = overrideStore(memory, {
      createTask: async (task) => {
        if (broken) throw new StoreError('corrupt', 'The file is damaged.');
        return memory.createTask(task);
      },
    });
    const executor = heldTurns();
    const engine = await startTestEngine(executor, { store, maxConcurrentTurns: 1 });
    await expect(beginTask(engine, 'one')).rejects.toMatchObject({ code: 'corrupt' });
    await untilIdle(engine);
    broken = false;
    const taskId = await beginTask(engine, 'two');
    await untilStarted(executor, 'two');
    executor.end('two');
    await engine.reader.settled(taskId, patient);
    expect(executor.started).toEqual(['two']);
  });

  test('a message that cannot be written is reported to the caller, and the slot is released', async () => {
    const executor = heldTurns();
    const engine = await startTestEngine(executor);
    const loop: Record<string, unknown> = {};
    loop['again'] = loop;
    await expect(beginTask(engine, 'one', { metadata: loop })).rejects.toThrow(TypeError);
    expect(engine.turns.activity).toEqual({ running: 0, queued: 0 });
  });

  test('a message that the store rejects occupies no slot in the queue, even if its agent may start early', async () => {
    const memory = openMemoryStore();
    let broken = false;
    const store = overrideStore(memory, {
      createTask: async (task) => {
        if (broken) throw new StoreError('corrupt', 'The file is damaged.');
        return memory.createTask(task);
      },
    });
    const executor = heldTurns({ withoutEffects: true });
    const engine = await startTestEngine(executor, { store });
    await beginTask(engine, 'first', { contextId: 'one' });
    broken = true;
    await expect(beginTask(engine, 'second', { contextId: 'one' })).rejects.toMatchObject({
      code: 'corrupt',
    });
    await expect.poll(() => engine.turns.activity).toEqual({ running: 1, queued: 0 });
    executor.end('first');
    await untilIdle(engine);
    expect(executor.started).toEqual(['first']);
  });
});

describe('an executor without effects', () => {
  test('starts while its message is being committed, and nothing is visible earlier because of that', async () => {
    const gate = gateCommits(openMemoryStore());
    const tasks: unknown[] = [];
    const engine = await startTestEngine(
      {
        withoutEffects: true,
        execute: async (turn, sink) => {
          tasks.push(turn.task);
          await sink.complete('done');
        },
      },
      { store: gate.store },
    );
    let begun = false;
    const beginning = beginTask(engine, 'go').finally(() => (begun = true));
    await expect.poll(() => gate.held).toBe(1);
    expect(tasks).toHaveLength(1);
    expect(tasks[0]).not.toHaveProperty('metadata');
    expect(begun).toBe(false);
    gate.open();
    const taskId = await beginning;
    await engine.reader.settled(taskId, patient);
    expect(await journalOutline(engine.store, taskId)).toEqual(['submitted', 'working', 'completed done']);
    await expectFree(engine, taskId);
  });
});

describe('direct answers', () => {
  test('are decided by the first output, and are in the journal from the start', async () => {
    const executor = heldTurns({ answersDirectly: () => true });
    const engine = await startTestEngine(executor);
    const started = await engine.turns.begin(turnInput('hello', { mayAnswerDirectly: true }));
    await untilStarted(executor, 'hello');
    expect(await stateOf(engine, taskIdOf(started))).toBe('TASK_STATE_WORKING');
    expect(started.direct?.open).toBe(true);
    executor.end('hello', (sink) => sink.message('hi'));
    expect(await started.direct?.decided).toMatchObject({ parts: [{ text: 'hi' }] });
    await untilIdle(engine);
    expect(await journalOutline(engine.store, taskIdOf(started))).toEqual([
      'submitted',
      'working',
      'completed hi',
    ]);
  });

  test('are offered to the executor only if the caller accepts one', async () => {
    const offered: boolean[] = [];
    let direct = true;
    const engine = await startTestEngine({
      answersDirectly: () => direct,
      execute: async (turn, sink) => {
        offered.push(turn.mayAnswerDirectly);
        if (offered.length === 1) throw new RetryableError('again', { retryAfterMilliseconds: 1 });
        await sink.complete();
      },
    });
    const run = async (mayAnswerDirectly: boolean): Promise<void> => {
      const taskId = taskIdOf(await engine.turns.begin(turnInput('go', { mayAnswerDirectly })));
      await engine.reader.settled(taskId, patient);
    };
    await run(true);
    await run(false);
    direct = false;
    await run(true);
    expect(offered).toEqual([true, false, false, false]);
  });

  test('become tasks when the executor needs one, throws or writes nothing', async () => {
    const outcomes: Record<string, string[]> = {
      artifact: ['submitted', 'working', 'artifact a x', 'completed'],
      throw: [
        'submitted',
        'working',
        'failed The agent failed unexpectedly. The reason is in the server log.',
      ],
      nothing: ['submitted', 'working', 'completed'],
    };
    const engine = await startTestEngine({
      answersDirectly: () => true,
      execute: async ({ message }, sink) => {
        if (message.parts[0]?.text === 'artifact') await sink.artifact({ artifactId: 'a', parts: 'x' });
        if (message.parts[0]?.text === 'throw') throw new Error('secret');
      },
    });
    for (const [text, lines] of Object.entries(outcomes)) {
      const taskId = taskIdOf(await engine.turns.begin(turnInput(text, { mayAnswerDirectly: true })));
      await engine.reader.settled(taskId, patient);
      expect(await journalOutline(engine.store, taskId)).toEqual(lines);
    }
  });

  test('an executor that throws when asked whether it answers directly gets a task', async () => {
    const engine = await startTestEngine({
      answersDirectly: () => {
        throw new Error('oops');
      },
      execute: (_turn, sink) => sink.complete(),
    });
    const taskId = taskIdOf(await engine.turns.begin(turnInput('hello', { mayAnswerDirectly: true })));
    await engine.reader.settled(taskId, patient);
    expect(await stateOf(engine, taskId)).toBe('TASK_STATE_COMPLETED');
    await untilIdle(engine);
  });

  test.each([true, false])(
    'that the server stops are tasks, which the next start can run (agent obeys its signal: %s)',
    async (heedsSignal) => {
      const executor = heldTurns({ answersDirectly: () => true, resume: async () => {} }, { heedsSignal });
      const engine = await startTestEngine(executor, { maxConcurrentTurns: 1 });
      const begin = (text: string) => engine.turns.begin(turnInput(text, { mayAnswerDirectly: true }));
      const running = await begin('running');
      await untilStarted(executor, 'running');
      const queued = await begin('queued');
      await engine.turns.stop(0);
      expect(await Promise.all([running.direct?.decided, queued.direct?.decided])).toEqual([
        undefined,
        undefined,
      ]);
      expect(await stateOf(engine, taskIdOf(running))).toBe('TASK_STATE_WORKING');
      expect(await stateOf(engine, taskIdOf(queued))).toBe('TASK_STATE_SUBMITTED');
    },
  );
});

describe('continue', () => {
  test('runs the answer as the next turn, with the whole task before it', async () => {
    const turns: Turn[] = [];
    const engine = await startTestEngine(async (turn, sink) => {
      turns.push(turn);
      await (turns.length === 1 ? sink.askInput('Which one?') : sink.complete('Thanks.'));
    });
    const taskId = await beginTask(engine, 'book', { contextId: 'trip' });
    await engine.reader.settled(taskId, patient);
    const started = await engine.turns.continue(
      await headerOf(engine.store, taskId),
      turnInput('this one', { metadata: { from: 'phone' } }, { taskId }),
    );
    expect(started).toMatchObject({
      start: { task: { status: { state: 'TASK_STATE_WORKING' } }, sequence: 4 },
    });
    await engine.reader.settled(taskId, patient);
    expect(await journalOutline(engine.store, taskId)).toEqual([
      'submitted',
      'working',
      'input-required Which one?',
      'working',
      'completed Thanks.',
    ]);
    expect(turns[1]).toMatchObject({
      contextId: 'trip',
      metadata: { from: 'phone' },
      mayAnswerDirectly: false,
    });
    expect(turns[1]?.task.history?.map(({ parts }) => parts[0]?.text)).toEqual([
      'book',
      'Which one?',
      'this one',
    ]);
  });

  test('a follow-up waits for the running turn; if that ends the task, it is rejected', async () => {
    const executor = heldTurns();
    const engine = await startTestEngine(executor);
    const taskId = await beginTask(engine, 'one');
    await untilStarted(executor, 'one');
    const header = await headerOf(engine.store, taskId);
    const answer = engine.turns.continue(header, turnInput('two', {}, { taskId }));
    const tooLate = engine.turns.continue(header, turnInput('three', {}, { taskId }));
    const refused = expect(tooLate).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: expect.stringContaining('TASK_STATE_COMPLETED') as string,
    });
    expect(engine.turns.activity).toEqual({ running: 1, queued: 2 });
    executor.end('one', (sink) => sink.askInput('And?'));
    await answer;
    await untilStarted(executor, 'two');
    executor.end('two');
    await refused;
    await untilIdle(engine);
    expect(executor.started).toEqual(['one', 'two']);
    expect(await journalOutline(engine.store, taskId)).toEqual([
      'submitted',
      'working',
      'input-required And?',
      'working',
      'completed',
    ]);
  });

  test('a follow-up with returnImmediately is rejected while a turn runs', async () => {
    const executor = heldTurns();
    const engine = await startTestEngine(executor);
    const taskId = await beginTask(engine, 'one');
    await untilStarted(executor, 'one');
    const input = turnInput('two', { configuration: { returnImmediately: true } }, { taskId });
    const answer = engine.turns.continue(await headerOf(engine.store, taskId), input);
    await expect(answer).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
    expect(engine.turns.activity).toEqual({ running: 1, queued: 0 });
    executor.end('one', (sink) => sink.askInput('And?'));
    await untilIdle(engine);
    await engine.turns.continue(await headerOf(engine.store, taskId), input);
    await untilStarted(executor, 'two');
    executor.end('two');
    await untilIdle(engine);
  });

  test('a rejected follow-up does not block the task for others', async () => {
    const executor = heldTurns();
    const engine = await startTestEngine(executor);
    const taskId = await beginTask(engine, 'one');
    await untilStarted(executor, 'one');
    const header = await headerOf(engine.store, taskId);
    executor.end('one');
    await engine.reader.settled(taskId, patient);
    await expect(engine.turns.continue(header, turnInput('two', {}, { taskId }))).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
    });
    await expectFree(engine, taskId);
  });
});

/** Another process can acquire the task. */
async function expectFree(engine: TestEngine, taskId: string): Promise<void> {
  await engine.store.heartbeat('elsewhere', 60_000);
  await expect.poll(() => engine.store.acquireLease(taskId, 'elsewhere')).toBeDefined();
}

describe('a task taken by another process', () => {
  test('aborts its turn and is left unchanged', async () => {
    const executor = heldTurns();
    const engine = await startTestEngine(executor);
    const taskId = await beginTask(engine, 'one');
    await untilStarted(executor, 'one');
    const { fence } = await headerOf(engine.store, taskId);
    await engine.store.releaseLease(taskId, fence);
    await engine.store.heartbeat('elsewhere', 60_000);
    await engine.store.acquireLease(taskId, 'elsewhere');
    executor.end('one', async (sink) => {
      await sink.artifact({ artifactId: 'a', parts: 'too late' });
      await sink.complete('too late');
    });
    await untilIdle(engine);
    expect(await journalOutline(engine.store, taskId)).toEqual(['submitted', 'working']);
  });

  test('rejects a follow-up that waits for it when the server stops', async () => {
    const store = openMemoryStore();
    const executor = heldTurns();
    const there = await startTestEngine(executor, { store });
    const taskId = await beginTask(there, 'one');
    await untilStarted(executor, 'one');
    const here = await startTestEngine(executor, { store });
    const waiting = here.turns.continue(await headerOf(store, taskId), turnInput('more'));
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' }), here.stop(0)]);
    expect(await journalOutline(store, taskId)).toEqual(['submitted', 'working']);
  });
});

describe('stop', () => {
  test('lets running turns finish within the grace period', async () => {
    const executor = heldTurns();
    const engine = await startTestEngine(executor);
    const taskId = await beginTask(engine, 'one');
    await untilStarted(executor, 'one');
    const stopped = engine.stop(60_000);
    await expect(beginTask(engine, 'two')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      retryAfterSeconds: 5,
    });
    executor.end('one');
    await stopped;
    expect(await stateOf(engine, taskId)).toBe('TASK_STATE_COMPLETED');
  });

  test.each([
    [
      'throws on its signal',
      (turn: Turn) =>
        new Promise<void>((_, reject) =>
          turn.signal.addEventListener('abort', () => reject(turn.signal.reason as Error)),
        ),
    ],
    [
      'returns on its signal',
      (turn: Turn) => new Promise<void>((resolve) => turn.signal.addEventListener('abort', () => resolve())),
    ],
    ['hangs', () => new Promise<void>(() => {})],
  ])('records a turn as interrupted whose agent %s', async (_name, execute) => {
    const engine = await startTestEngine(execute);
    const taskId = await beginTask(engine, 'one');
    const waiting = engine.reader.settled(taskId, patient);
    await engine.stop(1);
    await waiting;
    const lines = await journalOutline(engine.store, taskId);
    expect(lines.at(-1)).toMatch(/^failed Interrupted: the server was stopped/);
    await expectFree(engine, taskId);
  });

  test('leaves the task of a resumable executor working and free', async () => {
    for (const heedsSignal of [true, false]) {
      const executor = heldTurns({ resume: async () => {} }, { heedsSignal });
      const engine = await startTestEngine(executor);
      const started = await engine.turns.begin(turnInput('one'));
      const taskId = taskIdOf(started);
      await untilStarted(executor, 'one');
      const waiting = engine.reader.settled(taskId, patient);
      await engine.stop(1);
      await waiting;
      expect(await stateOf(engine, taskId)).toBe('TASK_STATE_WORKING');
      expect(await engine.store.listOrphans(10)).toMatchObject([{ taskId }]);
    }
  });

  test('leaves queued tasks submitted, whose senders get a response, and the next process runs them', async () => {
    const store = openMemoryStore();
    const executor = heldTurns();
    const engine = await startTestEngine(executor, { store, maxConcurrentTurns: 1 });
    await beginTask(engine, 'one');
    await untilStarted(executor, 'one');
    const queued = await beginTask(engine, 'two');
    const waiting = engine.reader.settled(queued, patient);
    await engine.stop(1);
    await waiting;
    expect(await stateOf(engine, queued)).toBe('TASK_STATE_SUBMITTED');
    expect(executor.started).toEqual(['one']);

    const next = await startTestEngine((_turn, sink) => sink.complete('at last'), { store });
    await next.reader.settled(queued, patient);
    expect(await journalOutline(store, queued)).toEqual(['submitted', 'working', 'completed at last']);
  });

  test('rejects waiting follow-ups, even behind an agent that hangs', async () => {
    const executor = heldTurns({}, { heedsSignal: false });
    const engine = await startTestEngine(executor);
    const taskId = await beginTask(engine, 'one');
    await untilStarted(executor, 'one');
    const followUp = engine.turns.continue(
      await headerOf(engine.store, taskId),
      turnInput('two', {}, { taskId }),
    );
    const refused = expect(followUp).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await engine.stop(1);
    await refused;
  });

  test('includes turns whose message is being committed', async () => {
    const gate = gateCommits(openMemoryStore());
    const executor = heldTurns();
    const engine = await startTestEngine(executor, { store: gate.store });
    const beginning = engine.turns.begin(turnInput('one'));
    await expect.poll(() => gate.held).toBe(1);
    const stopped = engine.stop(0);
    gate.open();
    const taskId = taskIdOf(await beginning);
    await stopped;
    await untilIdle(engine);
    expect((await journalOutline(engine.store, taskId)).at(-1)).toMatch(/^failed Interrupted/);
  });

  test('ends readers after the last event of their task', async () => {
    const engine = await startTestEngine(
      (turn) => new Promise((resolve) => turn.signal.addEventListener('abort', () => resolve())),
    );
    const taskIds = await Promise.all(Array.from({ length: 20 }, () => beginTask(engine, 'go')));
    const readings = taskIds.map(async (taskId) => {
      let last = '';
      for await (const frames of engine.reader.follow(taskId, 0, () => false, patient))
        last = frames.at(-1)?.json ?? last;
      return last;
    });
    await engine.stop(1);
    for (const last of await Promise.all(readings)) expect(last).toContain('Interrupted');
  });

  test('ends readers whose tasks may continue in another process', async () => {
    const executor = heldTurns({ resume: async () => {} }, { heedsSignal: false });
    const engine = await startTestEngine(executor);
    const running = await beginTask(engine, 'one');
    await untilStarted(executor, 'one');
    const reading = (async () => {
      let count = 0;
      for await (const frames of engine.reader.follow(running, 0, () => false, patient))
        count += frames.length;
      return count;
    })();
    await engine.stop(1);
    expect(await reading).toBeGreaterThanOrEqual(2);
  });
});

test('a store that fails during a turn leaves a task that is ended later', async () => {
  const memory = openMemoryStore();
  let broken = false;
  const store = overrideStore(memory, {
    append: async (append) => {
      if (broken) throw new StoreError('corrupt', 'The file is damaged.');
      return memory.append(append);
    },
  });
  const executor = heldTurns({}, { heedsSignal: false });
  const engine = await startTestEngine(executor, { store });
  const taskId = await beginTask(engine, 'one');
  await untilStarted(executor, 'one');
  const waiting = expect(engine.reader.settled(taskId, patient)).rejects.toMatchObject({ code: 'corrupt' });
  broken = true;
  executor.end('one', async (sink) => {
    await sink.artifact({ parts: 'lost' });
    await sink.flush();
  });
  await waiting;
  await untilIdle(engine);
  broken = false;
  await expect.poll(() => memory.listOrphans(10)).toMatchObject([{ taskId }]);
  const next = await startTestEngine(heldTurns(), { store });
  await next.reader.settled(taskId, patient);
  expect(await stateOf(next, taskId)).toBe('TASK_STATE_FAILED');
});
