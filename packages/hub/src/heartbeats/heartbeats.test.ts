import { openMemoryStore, type Store } from '@holdword/store';
import { expect, test } from 'vitest';
import { DEFAULT_HUB_SETTINGS } from '../hub-settings.ts';
import { Heartbeats, type PresenceChange } from './heartbeats.ts';

const CALM = { errors: 0, p95: 200, queue: 1 };
const TROUBLE = { errors: 50, p95: 20_000, queue: 500 };
const SECOND = 1_000;
const MINUTE = 60_000;

interface Scene {
  readonly store: Store;
  readonly heartbeats: Heartbeats;
  readonly pass: (milliseconds: number) => void;
  /** Advances the clock and returns the agents that are missing or back then. */
  readonly after: (milliseconds: number) => Promise<string[]>;
}

function scene(settings = DEFAULT_HUB_SETTINGS): Scene {
  const store = openMemoryStore();
  let now = 1_800_000_000_000;
  const heartbeats = new Heartbeats(store, () => now, settings);
  return {
    store,
    heartbeats,
    pass: (milliseconds) => (now += milliseconds),
    after: async (milliseconds) => {
      now += milliseconds;
      const missed: PresenceChange[] = [];
      while ((await heartbeats.takeChanges(2, async (change) => void missed.push(change))) > 0);
      return missed.map(({ agentId, returnedAt }) =>
        returnedAt === undefined ? agentId : `${agentId} is back`,
      );
    },
  };
}

test('an agent is reported missing once, after its interval and grace period', async () => {
  const { heartbeats, after } = scene();
  expect((await heartbeats.add('runner-01', CALM)).cadenceSeconds).toBe(2_700);
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
  expect(await after(0)).toEqual(['runner-01 is back']);
  expect(await after(70 * MINUTE)).toEqual(['runner-01']);
});

test('an agent with timely heartbeats is never reported missing', async () => {
  const { heartbeats, after } = scene();
  for (let turn = 0; turn < 10; turn += 1) {
    await heartbeats.add('runner-01', CALM);
    expect(await after(40 * MINUTE)).toEqual([]);
  }
  expect(await after(41 * MINUTE)).toEqual(['runner-01']);
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
  await expect(later.takeChanges(9, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
  const missed: string[] = [];
  await later.takeChanges(9, async ({ agentId }) => void missed.push(agentId));
  expect(missed).toEqual(['runner-01']);
});

test('an agent with a rhythm of its own is missing after two beats, and is back with the next one', async () => {
  const { heartbeats, after } = scene();
  for (let beat = 0; beat < 6; beat += 1) {
    await heartbeats.add('runner-01', CALM);
    expect(await after(30 * SECOND)).toEqual([]);
  }
  expect(await after(34 * SECOND)).toEqual([]);
  expect(await after(2 * SECOND)).toEqual(['runner-01']);
  await heartbeats.add('runner-01', CALM);
  expect(await after(SECOND)).toEqual(['runner-01 is back']);
  expect(await after(60 * SECOND)).toEqual([]);
  expect(await after(10 * SECOND)).toEqual(['runner-01']);
});

test('an agent can declare its cadence, and take the declaration back', async () => {
  const { heartbeats, after } = scene();
  await heartbeats.add('runner-01', { ...CALM, declaredSeconds: 20 });
  expect(await after(44 * SECOND)).toEqual([]);
  await heartbeats.add('runner-01', CALM);
  expect(await after(46 * SECOND)).toEqual(['runner-01']);
  await heartbeats.add('runner-01', { ...CALM, declaredSeconds: null });
  expect(await after(60 * MINUTE)).toEqual(['runner-01 is back']);
});

test('the configuration sets the cadence of agents that declare none', async () => {
  const { heartbeats, after } = scene({ ...DEFAULT_HUB_SETTINGS, cadenceSeconds: 60, graceSeconds: 0 });
  await heartbeats.add('runner-01', CALM);
  expect(await after(119 * SECOND)).toEqual([]);
  expect(await after(SECOND)).toEqual(['runner-01']);
});

test('requests are signs of life, and are not written each', async () => {
  const { store, heartbeats, after } = scene();
  await heartbeats.add('runner-01', { ...CALM, declaredSeconds: 20 });
  const values = new Set<string | undefined>();
  for (let request = 0; request < 200; request += 1) {
    await heartbeats.seen('runner-01');
    values.add(await store.getRecord('hub-heartbeats', 'runner-01'));
    expect(await after(SECOND)).toEqual([]);
  }
  expect(values.size).toBeLessThan(60);
  expect(await after(45 * SECOND)).toEqual(['runner-01']);
  await heartbeats.seen('runner-01');
  expect(await after(0)).toEqual(['runner-01 is back']);
});

test('an agent that never sent a heartbeat is not watched', async () => {
  const { store, heartbeats } = scene();
  expect(await heartbeats.seen('runner-01')).toBeUndefined();
  expect(await store.listRecords('hub-heartbeats-due')).toEqual([]);
});

test('an agent that returns while its absence is reported is reported to be back', async () => {
  const { heartbeats, pass, after } = scene({ ...DEFAULT_HUB_SETTINGS, cadenceSeconds: 60 });
  await heartbeats.add('runner-01', CALM);
  pass(3 * MINUTE);
  await heartbeats.takeChanges(1, async () => void (await heartbeats.add('runner-01', CALM)));
  expect(await after(SECOND)).toEqual(['runner-01 is back']);
  expect(await after(2 * MINUTE)).toEqual([]);
  expect(await after(MINUTE)).toEqual(['runner-01']);
});
