import { setTimeout as pause } from 'node:timers/promises';
import { openMemoryStore, type Store } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { expect, test } from 'vitest';
import type { Executor, Sink, Turn } from '../executors/executor.ts';
import { randomTicks } from './testing/random-ticks.ts';
import { journalOutline } from './testing/read-journal.ts';
import {
  beginTask,
  headerOf,
  patient,
  startTestEngine,
  type TestEngine,
  turnInput,
} from './testing/start-test-engine.ts';
import type { StartedTurn } from './turns.ts';

/** Two engines on one store look like two processes to it. Their turns end when the test says so. */
async function startTwo() {
  const store: Store = Object.assign(openMemoryStore(), { isShared: true });
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const gateOf = (text: string): PromiseWithResolvers<void> => {
    const gate = gates.get(text) ?? Promise.withResolvers<void>();
    gates.set(text, gate);
    return gate;
  };
  const executor = {
    execute: async (turn: { message: { parts: { text?: string | undefined }[] } }) =>
      gateOf(turn.message.parts[0]?.text ?? '').promise,
  };
  const [here, there] = [
    await startTestEngine(executor, { store }),
    await startTestEngine(executor, { store }),
  ];
  const stateOf = async (taskId: string) => (await headerOf(store, taskId)).state;
  return { here, there, stateOf, end: (text: string) => gateOf(text).resolve() };
}

/** The call arrives some time after it is made, as with a database, and so does the result. */
function slow<Input extends unknown[], Output>(
  call: (...input: Input) => Promise<Output>,
): (...input: Input) => Promise<Output> {
  return async (...input) => {
    await randomTicks(5);
    const output = await call(...input);
    await randomTicks(5);
    return output;
  };
}

function withRandomTicks(store: Store): Store {
  return overrideStore(store, {
    createTask: slow((task) => store.createTask(task)),
    append: slow((append) => store.append(append)),
    readTask: slow((taskId) => store.readTask(taskId)),
    listTasks: slow((query) => store.listTasks(query)),
    getRecord: slow((namespace, key) => store.getRecord(namespace, key)),
    replaceRecord: slow((...replacement) => store.replaceRecord(...replacement)),
    deleteRecord: slow((...deletion) => store.deleteRecord(...deletion)),
    isAlive: slow((holder) => store.isAlive(holder)),
  });
}

/** Tasks with the same creation time do not wait for each other. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(now);
}

test('a task waits for tasks of its context in other processes, one after the other (J10)', async () => {
  const { here, there, stateOf, end } = await startTwo();
  const context = { contextId: 'shared' };
  const first = await beginTask(here, 'first', context);
  await expect.poll(() => stateOf(first)).toBe('TASK_STATE_WORKING');
  const second = await beginTask(there, 'second', context);
  await nextMillisecond();
  const third = await beginTask(here, 'third', context);
  const elsewhere = await beginTask(there, 'elsewhere', { contextId: 'another' });
  await expect.poll(() => stateOf(elsewhere)).toBe('TASK_STATE_WORKING');
  expect(await Promise.all([second, third].map(stateOf))).toEqual(Array(2).fill('TASK_STATE_SUBMITTED'));

  end('first');
  await expect.poll(() => stateOf(second)).toBe('TASK_STATE_WORKING');
  expect(await stateOf(third)).toBe('TASK_STATE_SUBMITTED');
  end('second');
  end('third');
  await here.reader.settled(third, patient);
  expect(await stateOf(third)).toBe('TASK_STATE_COMPLETED');
  end('elsewhere');
});

test('turns of one context that start in several processes at the same moment run one by one (J10)', async () => {
  const store = withRandomTicks(Object.assign(openMemoryStore(), { isShared: true }));
  let running = 0;
  let most = 0;
  const executor: Executor = {
    execute: async (turn, sink) => {
      running += 1;
      most = Math.max(most, running);
      await pause(2);
      running -= 1;
      // The second half of the work is a follow-up turn of the same task.
      if (turn.message.parts[0]?.text === 'yes') await sink.complete();
      else await sink.askInput('Go on?');
    },
  };
  const engines = await Promise.all([1, 2, 3].map(() => startTestEngine(executor, { store })));
  const at = (index: number): TestEngine => engines[index % engines.length] as TestEngine;
  const run = async (number: number): Promise<void> => {
    const taskId = await beginTask(at(number), `task ${number}`, { contextId: 'shared' });
    await at(number).reader.settled(taskId, patient);
    await at(number + 1).turns.continue(await headerOf(store, taskId), turnInput('yes'));
    await at(number).reader.settled(taskId, patient);
    expect((await headerOf(store, taskId)).state).toBe('TASK_STATE_COMPLETED');
  };
  await Promise.all(Array.from({ length: 12 }, (_, number) => run(number)));
  expect(most).toBe(1);
  await expect.poll(() => store.listRecords('running-contexts')).toEqual([]);
});

/** Two processes whose turns record when they start and end, and end when the test lets them. */
async function startOverheard(work: (turn: Turn, sink: Sink, gate: Promise<void>) => Promise<void>) {
  const store: Store = Object.assign(openMemoryStore(), { isShared: true });
  const gate = Promise.withResolvers<void>();
  const heard: string[] = [];
  const executor: Executor = {
    answersDirectly: () => true,
    execute: async (turn, sink) => {
      const text = turn.message.parts[0]?.text ?? '';
      heard.push(`${text} begins`);
      await work(turn, sink, text === 'first' ? gate.promise : Promise.resolve());
      heard.push(`${text} ends`);
    },
  };
  const [here, there] = [
    await startTestEngine(executor, { store }),
    await startTestEngine(executor, { store }),
  ];
  return { store, here, there, heard, endFirst: () => gate.resolve() };
}

/** Long enough for a turn that nothing blocks to start. */
const A_WHILE = 200;

test('a follow-up in one process does not let another task in during a turn of the other process (J10)', async () => {
  const { store, here, there, heard, endFirst } = await startOverheard(async (turn, sink, gate) => {
    await gate;
    if (turn.message.parts[0]?.text === 'first') await sink.askInput('Go on?');
    else await sink.complete();
  });
  const first = await beginTask(here, 'first', { contextId: 'shared' });
  const followed = there.turns.continue(await headerOf(store, first), turnInput('follow-up'));
  await nextMillisecond();
  const second = await beginTask(here, 'second', { contextId: 'shared' });
  await pause(A_WHILE);
  expect(heard).toEqual(['first begins']);

  endFirst();
  await followed;
  await Promise.all([first, second].map((taskId) => here.reader.settled(taskId, patient)));
  await expect.poll(() => heard.length).toBe(6);
  // Whichever of the two is next, it does not start before the previous one has ended.
  const [, , third, , fifth] = heard.map((each) => each.split(' ')[0]);
  expect(heard).toEqual(['first', third, fifth].flatMap((text) => [`${text} begins`, `${text} ends`]));
});

function ask(engine: TestEngine, text: string): Promise<StartedTurn> {
  return engine.turns.begin(turnInput(text, { mayAnswerDirectly: true }, { contextId: 'shared' }));
}

test('a turn that may answer without a task also has its context to itself (J10)', async () => {
  const { here, there, heard, endFirst } = await startOverheard(async (turn, sink, gate) => {
    await gate;
    await sink.message(`answer to ${turn.message.parts[0]?.text}`);
  });
  const first = await ask(here, 'first');
  await expect.poll(() => heard).toEqual(['first begins']);
  const second = await ask(there, 'second');
  await pause(A_WHILE);
  expect(heard).toEqual(['first begins']);
  endFirst();
  expect([await first.direct?.decided, await second.direct?.decided]).toMatchObject([
    { parts: [{ text: 'answer to first' }] },
    { parts: [{ text: 'answer to second' }] },
  ]);
});

test('a turn that keeps working after it asked for a credential keeps its context (J10)', async () => {
  const { here, there, heard, endFirst } = await startOverheard(async (_turn, sink, gate) => {
    await sink.status('Sign in, please.', { state: 'TASK_STATE_AUTH_REQUIRED' });
    await gate;
    await sink.complete();
  });
  await beginTask(here, 'first', { contextId: 'shared' });
  await expect.poll(() => heard).toEqual(['first begins']);
  await beginTask(there, 'second', { contextId: 'shared' });
  await pause(A_WHILE);
  expect(heard).toEqual(['first begins']);
  endFirst();
  await expect.poll(() => heard).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});

test('a context whose process has died is free again', async () => {
  const { here, there, heard } = await startOverheard(async (_turn, sink) => sink.complete());
  const { store } = here;
  await beginTask(here, 'before', { contextId: 'shared' });
  await expect.poll(() => store.listRecords('running-contexts')).toEqual([]);
  const put = overrideStore(store, {
    // The process dies before it releases the context.
    deleteRecord: () => Promise.resolve(false),
  });
  const gone = await startTestEngine(async (_turn, sink) => sink.complete(), { store: put });
  const left = await beginTask(gone, 'left', { contextId: 'shared' });
  await there.reader.settled(left, patient);
  expect(await store.listRecords('running-contexts')).toHaveLength(1);
  await beginTask(there, 'next', { contextId: 'shared' });
  await pause(A_WHILE);
  expect(heard).not.toContain('next begins');
  await gone.stop(0);
  await expect.poll(() => heard).toContain('next ends');
});

test('a waiting task can be canceled, and is run by another process if its own stops', async () => {
  const { here, there, stateOf, end } = await startTwo();
  const first = await beginTask(here, 'first', { contextId: 'shared' });
  await expect.poll(() => stateOf(first)).toBe('TASK_STATE_WORKING');
  const waiting = await beginTask(there, 'second', { contextId: 'shared' });
  await there.cancel(await headerOf(there.store, waiting));
  expect(await stateOf(waiting)).toBe('TASK_STATE_CANCELED');
  const left = await beginTask(there, 'third', { contextId: 'shared' });
  await there.stop(0);
  expect(await stateOf(left)).toBe('TASK_STATE_SUBMITTED');
  end('first');
});

test('a waiting task does not block the task it waits for when that moves to its process', async () => {
  const store: Store = Object.assign(openMemoryStore(), { isShared: true });
  const there = await startTestEngine({ execute: untilAborted, resume: untilAborted }, { store });
  const here = await startTestEngine(
    { execute: (_turn, sink) => sink.complete(), resume: (_turn, sink) => sink.complete('resumed') },
    { store, leaseMilliseconds: 900 },
  );
  const first = await beginTask(there, 'first', { contextId: 'shared' });
  await expect.poll(async () => (await headerOf(store, first)).state).toBe('TASK_STATE_WORKING');
  const second = await beginTask(here, 'second', { contextId: 'shared' });
  await there.stop(0);
  await Promise.all([first, second].map((taskId) => here.reader.settled(taskId, patient)));
  expect(await journalOutline(store, first)).toContain('completed resumed');
});

function untilAborted(turn: Turn): Promise<void> {
  return new Promise((_, reject) => {
    turn.signal.addEventListener('abort', () => reject(turn.signal.reason as Error));
  });
}
