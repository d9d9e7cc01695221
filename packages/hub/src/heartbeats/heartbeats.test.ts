import { openMemoryStore, type Store } from '@holdword/store';
import { expect, test } from 'vitest';
import { Heartbeats, type MissedAgent } from './heartbeats.ts';

const CALM = { errors: 0, p95: 200, queue: 1 };
const TROUBLE = { errors: 50, p95: 20_000, queue: 500 };
const MINUTE = 60_000;

interface Scene {
  readonly store: Store;
  readonly heartbeats: Heartbeats;
  /** Lets time pass and gives the agents that are missed then. */
  readonly after: (milliseconds: number) => Promise<string[]>;
}

function scene(): Scene {
  const store = openMemoryStore();
  let now = 1_800_000_000_000;
  const heartbeats = new Heartbeats(store, () => now);
  return {
    store,
    heartbeats,
    after: async (milliseconds) => {
      now += milliseconds;
      const missed: MissedAgent[] = [];
      while ((await heartbeats.takeMissed(2, async (agent) => void missed.push(agent))) > 0);
      return missed.map(({ agentId }) => agentId);
    },
  };
}

test('an agent is missed once, when its cadence and its grace are over', async () => {
  const { heartbeats, after } = scene();
  const { cadence } = await heartbeats.add('runner-01', CALM);
  expect(cadence.seconds).toBe(2_700);
  expect(await after(67 * MINUTE)).toEqual([]);
  expect(await after(MINUTE)).toEqual(['runner-01']);
  expect(await after(600 * MINUTE)).toEqual([]);
  expect((await heartbeats.read('runner-01'))?.missed).toBeDefined();
});

test('an agent that comes back is no longer missed, and is watched again', async () => {
  const { heartbeats, after } = scene();
  await heartbeats.add('runner-01', CALM);
  expect(await after(70 * MINUTE)).toEqual(['runner-01']);
  await heartbeats.add('runner-01', CALM);
  expect((await heartbeats.read('runner-01'))?.missed).toBeUndefined();
  expect(await after(70 * MINUTE)).toEqual(['runner-01']);
});

test('heartbeats in time keep an agent from being missed, however often it is looked at', async () => {
  const { heartbeats, after } = scene();
  for (let turn = 0; turn < 10; turn += 1) {
    await heartbeats.add('runner-01', CALM);
    expect(await after(40 * MINUTE)).toEqual([]);
  }
  expect(await after(40 * MINUTE)).toEqual(['runner-01']);
});

test('an agent in trouble is missed sooner, and later again when it has recovered', async () => {
  const { heartbeats, after } = scene();
  await heartbeats.add('runner-01', CALM);
  await heartbeats.add('runner-01', TROUBLE);
  expect(await after(50_000)).toEqual([]);
  await heartbeats.add('runner-01', CALM);
  expect(await after(60 * MINUTE)).toEqual([]);
  expect(await after(10 * MINUTE)).toEqual(['runner-01']);
});

test('the list of who is due holds one entry for each agent, not one for each heartbeat', async () => {
  const { store, heartbeats } = scene();
  for (let turn = 0; turn < 20; turn += 1) {
    for (const agent of ['a', 'b', 'c']) await heartbeats.add(agent, CALM);
  }
  expect(await store.listRecords('hub-heartbeats-due')).toHaveLength(3);
  expect(await store.listRecords('hub-heartbeats')).toHaveLength(3);
});

test('heartbeats of one agent at the same moment are all counted', async () => {
  const { heartbeats } = scene();
  await Promise.all(Array.from({ length: 20 }, () => heartbeats.add('runner-01', CALM)));
  expect((await heartbeats.read('runner-01'))?.count).toBe(20);
});

test('an alarm that could not be raised is raised the next time', async () => {
  const { store, heartbeats } = scene();
  await heartbeats.add('runner-01', CALM);
  const later = new Heartbeats(store, () => 1_800_000_000_000 + 70 * MINUTE);
  await expect(later.takeMissed(9, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
  const missed: string[] = [];
  await later.takeMissed(9, async ({ agentId }) => void missed.push(agentId));
  expect(missed).toEqual(['runner-01']);
});
