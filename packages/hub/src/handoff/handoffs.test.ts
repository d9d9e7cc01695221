import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRuntime, type Owner } from '@holdword/runtime';
import { openMemoryStore, openSqliteStore, type Store, type TaskHeader } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { claim, type Handoff } from './handoff.ts';
import { Handoffs, type NewHandoff, type OfferOutcome, type HandoffScope } from './handoffs.ts';
import { readOwnTurn } from './own-turn.ts';

const START = 1_800_000_000_000;

function offer(taskId: string, more: Partial<NewHandoff> = {}): NewHandoff {
  return {
    taskId,
    contextId: 'c',
    agentId: 'runner-01',
    controllerId: 'crew',
    offeredBy: { kind: 'agent', id: 'runner-01' },
    to: { kind: 'controller' },
    expiresAt: START + 3_600_000,
    leaseSeconds: 600,
    ...more,
  };
}

async function offered(handoffs: Handoffs, given: NewHandoff): Promise<Handoff> {
  const outcome = await handoffs.offer(given);
  if (!('handoff' in outcome)) throw new Error('Expected a new hand-off, found an old one or no task.');
  return outcome.handoff;
}

/** A store with waiting tasks. */
async function withTasks(store: Store): Promise<Store> {
  for (const taskId of ['t-1', 't-2', 't-3', 't-4']) {
    const status = { state: 'TASK_STATE_INPUT_REQUIRED', time: START, json: '{}' } as const;
    await store.createTask({ taskId, owner: 'o', contextId: 'c', status, entries: [{ json: '{}' }] });
  }
  return store;
}

async function openSqlite(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-handoffs-'));
  const store = await openSqliteStore({ folder });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  return store;
}

test.each([
  ['memory', () => openMemoryStore()],
  ['sqlite', openSqlite],
])('exactly one of many concurrent claims wins on %s', async (_, open) => {
  const store = await withTasks(await open());
  const handoffs = new Handoffs(store, () => START);
  const { handoffId } = await offered(handoffs, offer('t-1'));
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, async (_each, index) => {
      let won = false;
      await handoffs.change(handoffId, (handoff, moment) => {
        const outcome = claim(handoff, `agent-${index}`, `hash ${index}`, moment);
        won = !('rejected' in outcome);
        return 'rejected' in outcome ? undefined : outcome.handoff;
      });
      return won;
    }),
  );
  expect(outcomes.filter(Boolean)).toHaveLength(1);
  expect((await handoffs.find(handoffId))?.lease?.agentId).toBe(`agent-${outcomes.indexOf(true)}`);
});

test('exactly one of many concurrent offers of a task wins', async () => {
  const handoffs = new Handoffs(await withTasks(openMemoryStore()), () => START);
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => handoffs.offer(offer('t-1'))));
  expect(outcomes.filter((outcome) => 'handoff' in outcome)).toHaveLength(1);
  expect((await handoffs.listOpen(['of-controller:crew'], { limit: 20 })).handoffs).toHaveLength(1);
});

test('a task can be offered again after its hand-off was withdrawn or expired', async () => {
  let now = START;
  const handoffs = new Handoffs(await withTasks(openMemoryStore()), () => now);
  const first = await offered(handoffs, offer('t-1'));
  expect(await handoffs.offer(offer('t-1'))).toMatchObject({ existing: { handoffId: first.handoffId } });
  await handoffs.change(first.handoffId, (handoff) => ({ ...handoff, closed: 'withdrawn' }));
  const second = await offered(handoffs, offer('t-1'));
  now += 2 * 3_600_000;
  const third = await offered(handoffs, offer('t-1', { expiresAt: now + 1 }));
  expect(new Set([first, second, third].map(({ handoffId }) => handoffId)).size).toBe(3);
  expect((await handoffs.ofTask('t-1'))?.handoffId).toBe(third.handoffId);
});

test('each scope lists its own open hand-offs, newest first', async () => {
  let now = START;
  const store = await withTasks(openMemoryStore());
  const handoffs = new Handoffs(store, () => (now += 1));
  const named = await offered(handoffs, offer('t-1', { to: { kind: 'agent', agentId: 'runner-02' } }));
  const shared = await offered(handoffs, offer('t-2'));
  await offered(handoffs, offer('t-3', { agentId: 'other', controllerId: 'others' }));
  const gone = await offered(handoffs, offer('t-4', { expiresAt: now + 2 }));
  const idsOf = async (scope: HandoffScope): Promise<string[]> =>
    (await handoffs.listOpen([scope], { limit: 10 })).handoffs.map(({ handoffId }) => handoffId);
  now += 100;
  expect(await idsOf('of-controller:crew')).toEqual([shared.handoffId, named.handoffId]);
  expect(await idsOf('of-agent:runner-01')).toEqual([shared.handoffId, named.handoffId]);
  expect(await idsOf('to-agent:runner-02')).toEqual([named.handoffId]);
  expect(await handoffs.find(gone.handoffId)).toBeDefined();
  expect(await store.listRecords('hub-open-handoffs', 'of-controller:crew/')).toHaveLength(2);
});

test('all hand-offs of a task are deleted with it, once none is live', async () => {
  let now = START;
  const store = await withTasks(openMemoryStore());
  const handoffs = new Handoffs(store, () => now);
  const kept = await offered(handoffs, offer('t-2', { expiresAt: now + 10 * 3_600_000 }));
  const first = await offered(handoffs, offer('t-1', { note: 'careful' }));
  await handoffs.change(first.handoffId, (handoff) => ({ ...handoff, closed: 'withdrawn' }));
  await offered(handoffs, offer('t-1', { to: { kind: 'agent', agentId: 'runner-02' } }));
  expect(await handoffs.forget('t-1')).toBe(false);
  expect((await handoffs.find(first.handoffId))?.note).toBe('careful');
  now += 2 * 3_600_000;
  expect(await handoffs.forget('t-1')).toBe(true);
  expect(await handoffs.forget('t-3')).toBe(true);
  const left = ['hub-handoffs', 'hub-task-handoffs', 'hub-open-handoffs'].map((each) =>
    store.listRecords(each),
  );
  const [records = [], byTask = [], open = []] = await Promise.all(left);
  expect(records.map(({ key }) => key)).toEqual([kept.handoffId]);
  expect(byTask.map(({ key }) => key)).toEqual(['t-2']);
  expect(new Set(open.map(({ value }) => value))).toEqual(new Set([kept.handoffId]));
});

/** The keys of all hand-off records. */
async function recordsIn(store: Store): Promise<string[]> {
  const namespaces = ['hub-handoffs', 'hub-task-handoffs', 'hub-open-handoffs'];
  const lists = await Promise.all(namespaces.map((each) => store.listRecords(each)));
  return namespaces.flatMap((each, index) => (lists[index] ?? []).map(() => each));
}

/** A task whose hand-off has expired; `after` is called after each step of its deletion. */
async function withExpired(after: () => Promise<void>) {
  const store = await withTasks(openMemoryStore());
  const before = new Handoffs(store, () => START);
  await before.offer(offer('t-1', { expiresAt: START + 1 }));
  const handoffs = new Handoffs(
    overrideStore(store, {
      replaceRecord: async (...given) => {
        const done = await store.replaceRecord(...given);
        await after();
        return done;
      },
      deleteRecord: async (...given) => {
        const done = await store.deleteRecord(...given);
        await after();
        return done;
      },
    }),
    () => START + 10,
  );
  return { store, handoffs };
}

test('a task that is offered during its deletion is either kept or not offered', async () => {
  for (let moment = 0; ; moment += 1) {
    let steps = 0;
    const outcomes: OfferOutcome[] = [];
    const { store, handoffs } = await withExpired(async () => {
      if (steps++ === moment) outcomes.push(await new Handoffs(store, () => START + 10).offer(offer('t-1')));
    });
    const isForgotten = await handoffs.forget('t-1');
    const [outcome] = outcomes;
    if (outcome === undefined) return expect(moment).toBeGreaterThan(2);
    // After the last step nothing is left to conflict with: the task can be offered as if it were new.
    const isAfter = steps === moment + 1;
    const isOffered = 'handoff' in outcome;
    expect({ moment, isOffered, isForgotten }).toEqual({ moment, isOffered: isAfter, isForgotten: true });
    const kept = isOffered ? ['hub-handoffs', 'hub-task-handoffs', 'hub-open-handoffs'] : [];
    expect(new Set(await recordsIn(store))).toEqual(new Set(kept));
  }
});

test('an offer made before the task is marked for deletion wins', async () => {
  const store = await withTasks(openMemoryStore());
  const handoffs = new Handoffs(store, () => START + 10);
  await new Handoffs(store, () => START).offer(offer('t-1', { expiresAt: START + 1 }));
  const outcomes: OfferOutcome[] = [];
  const late = overrideStore(store, {
    replaceRecord: async (...given) => {
      outcomes.push(await handoffs.offer(offer('t-1')));
      return store.replaceRecord(...given);
    },
  });
  expect(await new Handoffs(late, () => START + 10).forget('t-1')).toBe(false);
  expect(outcomes).toMatchObject([{ handoff: { taskId: 't-1' } }]);
  expect((await handoffs.listOpen(['of-controller:crew'], { limit: 10 })).handoffs).toHaveLength(1);
});

test('an interrupted deletion is completed by the next attempt', async () => {
  for (let moment = 0; moment < 3; moment += 1) {
    let steps = 0;
    const { store, handoffs } = await withExpired(async () => {
      if (steps++ === moment) throw new Error('cut off');
    });
    await expect(handoffs.forget('t-1')).rejects.toThrow('cut off');
    expect(await new Handoffs(store, () => START + 10).forget('t-1')).toBe(true);
    expect(await recordsIn(store)).toEqual([]);
  }
});

test('a deleted task cannot be offered, and the attempt leaves no records', async () => {
  const store = await withTasks(openMemoryStore());
  const handoffs = new Handoffs(store, () => START);
  expect(await handoffs.offer(offer('gone'))).toEqual({ isForgotten: true });
  expect(await recordsIn(store)).toEqual([]);
});

describe('the turn of a holder', () => {
  const OWNER: Owner = { tenant: '', caller: 'me', authenticated: true };

  /** A task whose turns end with a question, except those that are told to stay. */
  async function startTask() {
    const store = openMemoryStore();
    const stay = Promise.withResolvers<void>();
    const runtime = await startRuntime({
      store,
      executor: {
        async execute(turn, sink) {
          await sink.status('Working.');
          if (turn.message.parts[0]?.text === 'stay') await stay.promise;
          await sink.askInput('And then?');
        },
      },
    });
    onTestFinished(async () => {
      stay.resolve();
      await runtime.stop();
    });
    const send = async (text: string, taskId?: string): Promise<string> => {
      const message = { messageId: text, role: 'ROLE_USER', parts: [{ text }] } as const;
      const answer = await runtime.operations.sendMessage(
        {
          message: { ...message, parts: [...message.parts], ...(taskId !== undefined && { taskId }) },
          configuration: { returnImmediately: text === 'stay' },
        },
        { owner: OWNER, extensions: new Set(), signal: new AbortController().signal },
      );
      return 'task' in answer ? answer.task.id : '';
    };
    const taskId = await send('first');
    const header = async (): Promise<TaskHeader> => {
      const found = await store.readTask(taskId);
      if (found === undefined) throw new Error('Expected a task, found none.');
      return found;
    };
    return { store, header, send: (text: string) => send(text, taskId) };
  }

  test('a turn is running until it ends, whatever follows it', async () => {
    const { store, header, send } = await startTask();
    const { lastSequence: after } = await header();
    expect(await readOwnTurn(store, await header(), after)).toBeUndefined();
    await send('second');
    const ended = await readOwnTurn(store, await header(), after);
    expect(ended).toEqual({ inWork: false, endedAt: expect.any(Number) });
    const { lastSequence: later } = await header();
    await send('stay');
    expect(await readOwnTurn(store, await header(), later)).toEqual({ inWork: true });
    expect(await readOwnTurn(store, await header(), after)).toEqual(ended);
  });

  test('finds the first turn of a task', async () => {
    const { store, header } = await startTask();
    expect(await readOwnTurn(store, await header(), 0)).toMatchObject({ inWork: false });
  });
});
