import { openMemoryStore, type Store } from '@holdword/store';
import { expect, test } from 'vitest';
import { Heartbeats, type MissedAgent } from './heartbeats.ts';

const CALM = { errors: 0, p95: 200, queue: 1 };
const TROUBLE = { errors: 50, p95: 20_000, queue: 500 };
const MINUTE = 60_000;

interface Scene {
  readonly store: Store;
  readonly heartbeats: Heartbeats;
  /** Advances the clock and returns the agents that are missing then. */
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

test('an agent is reported missing once, after its interval and grace period', async () => {
  const { heartbeats, after } = scene();
  const { cadence } = await heartbeats.add('runner-01', CALM);
  expect(cadence.seconds).toBe(2_700);
  expect(await after(67 * MINUTE)).toEqual([]);
  expect(await after(MINUTE)).toEqual(['runner-01']);
  expect(await after(600 * MINUTE)).toEqual([]);
  expect((await heartbeats.read('runner-01'))?.missed).toBeDefined();
});

test('an agent that returns is no longer missing and is checked again', async () => {
  const { heartbeats, after } = scene();
  await heartbeats.add('runner-01', CALM);
  expect(await after(70 * MINUTE)).toEqual(['runner-01']);
  await heartbeats.add('runner-01', CALM);
  expect((await heartbeats.read('runner-01'))?.missed).toBeUndefined();
  expect(await after(70 * MINUTE)).toEqual(['runner-01']);
});

test('an agent with timely heartbeats is never reported missing', async () => {
  const { heartbeats, after } = scene();
  for (let turn = 0; turn < 10; turn += 1) {
    await heartbeats.add('runner-01', CALM);
    expect(await after(40 * MINUTE)).toEqual([]);
  }
  expect(await after(40 * MINUTE)).toEqual(['runner-01']);
});

test('an agent with an incident is reported missing sooner, until it recovers', async () => {
  const { heartbeats, after } = scene();
  await heartbeats.add('runner-01', CALM);
  await heartbeats.add('runner-01', TROUBLE);
  expect(await after(50_000)).toEqual([]);
  await heartbeats.add('runner-01', CALM);
  expect(await after(60 * MINUTE)).toEqual([]);
  expect(await after(10 * MINUTE)).toEqual(['runner-01']);
});

test('the due list has one entry per agent, not per heartbeat', async () => {
  const { store, heartbeats } = scene();
  for (let turn = 0; turn < 20; turn += 1) {
    for (const agent of ['a', 'b', 'c']) await heartbeats.add(agent, CALM);
  }
  expect(await store.listRecords('hub-heartbeats-due')).toHaveLength(3);
  expect(await store.listRecords('hub-heartbeats')).toHaveLength(3);
});

test('concurrent heartbeats of one agent are all counted', async () => {
  const { heartbeats } = scene();
  await Promise.all(Array.from({ length: 20 }, () => heartbeats.add('runner-01', CALM)));
  expect((await heartbeats.read('runner-01'))?.count).toBe(20);
});

test('a failed alarm is repeated the next time', async () => {
  const { store, heartbeats } = scene();
  await heartbeats.add('runner-01', CALM);
  const later = new Heartbeats(store, () => 1_800_000_000_000 + 70 * MINUTE);
  await expect(later.takeMissed(9, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
  const missed: string[] = [];
  await later.takeMissed(9, async ({ agentId }) => void missed.push(agentId));
  expect(missed).toEqual(['runner-01']);
});
