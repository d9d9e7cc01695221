import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownerKey } from '@holdword/runtime/internal';
import { openMemoryStore, openPostgresStore, openSqliteStore, type Store } from '@holdword/store';
import { usePostgres } from '@holdword/store/testing/postgres';
import { expect, it, onTestFinished } from 'vitest';
import { ownerOfAgent } from '../identity/identity.ts';
import { startHubScene, type HubScene } from '../testing/start-hub-scene.ts';
import { forgetHubRecords } from './hub-retention.ts';

const postgres = usePostgres();
const STORES: readonly [string, () => Promise<Store>][] = [
  ['memory', async () => openMemoryStore()],
  ['sqlite', openSqlite],
  ['postgres', async () => openPostgresStore({ url: postgres().url, schema: postgres().newSchema() })],
];

async function openSqlite(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-hub-retention-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return openSqliteStore({ folder });
}

const DAY = 24 * 3_600_000;
const SAYS = { message: { parts: [{ kind: 'text', text: 'go' }] } };

async function start(open = async (): Promise<Store> => openMemoryStore()): Promise<HubScene> {
  const store = await open();
  onTestFinished(() => store.close());
  return startHubScene(async (_turn, sink) => sink.askInput('Which one?'), {
    store,
    settings: { watchSeconds: 0, messagesPerMinute: 0, registrationsPerMinute: 0 },
  });
}

function sweep(scene: HubScene, settings = {}): Promise<number> {
  return forgetHubRecords(scene.store, settings, scene.now)(new AbortController().signal);
}

/** The keys of the records of the hub that are left, by namespace. */
async function keysLeft(store: Store): Promise<Record<string, string[]>> {
  const namespaces = [
    'hub-agents',
    'hub-sessions',
    'hub-session-times',
    'hub-agent-sessions',
    'hub-latest-sessions',
    'hub-context-sessions',
    'hub-handoffs',
    'hub-handoff-times',
    'hub-task-handoffs',
    'hub-open-handoffs',
    'hub-given-away',
    'hub-heartbeats',
    'hub-missing-agents',
    'hub-alarm-records',
  ];
  const left: Record<string, string[]> = {};
  for (const namespace of namespaces) {
    const records = await store.listRecords(namespace);
    if (records.length > 0) left[namespace] = records.map(({ key }) => key);
  }
  return left;
}

it.each(STORES)(
  'on %s, sessions, hand-offs, alarms and heartbeats are removed once they are over',
  async (_, open) => {
    const scene = await start(open);
    const [owner, other] = [await scene.register('owner'), await scene.register('other')];
    await scene.call('message/send', { ...SAYS, contextId: 'topic' }, owner);
    await scene.call('handoff/offer', { to_agent_id: 'other' }, owner);
    await scene.call('heartbeat/bundle', { cadence_seconds: 5 }, other);
    await scene.store.putRecord(
      'hub-alarm-records',
      `${String(scene.now()).padStart(15, '0')}/other-1`,
      '{}',
    );
    expect(await sweep(scene)).toBe(0);
    scene.pass(20 * DAY);
    expect(await sweep(scene)).toBe(0);
    scene.pass(100 * DAY);
    // It is no longer watched.
    await scene.asOperator('agents/block', { agent_id: 'other' });
    expect(await sweep(scene)).toBeGreaterThan(0);
    expect(await keysLeft(scene.store)).toEqual({ 'hub-agents': ['other', 'owner'] });
    expect(await sweep(scene)).toBe(0);
  },
);

it('what is in use is kept, and so is everything with 0 hours', async () => {
  const scene = await start();
  const [owner, other] = [await scene.register('owner'), await scene.register('other')];
  await scene.call('message/send', SAYS, owner);
  await scene.call('heartbeat/bundle', {}, owner);
  const { handoff_id } = await scene.call(
    'handoff/offer',
    { to_agent_id: 'other', expires_in_seconds: 600 },
    owner,
  );
  scene.pass(120 * DAY);
  const none = { sessionHours: 0, handoffHours: 0, alarmHours: 0, heartbeatHours: 0, agentHours: 0 };
  expect(await sweep(scene, { retention: none })).toBe(0);
  expect(await scene.call('handoff/get', { handoff_id }, other)).toMatchObject({ status: 'expired' });
  // A message by id keeps the session, and a new offer of the task is open.
  const { handoff_id: again } = await scene.call('handoff/offer', { to_agent_id: 'other' }, owner);
  await scene.call('message/send', SAYS, owner);
  await sweep(scene);
  expect(await scene.call('handoff/get', { handoff_id: again }, other)).toMatchObject({ status: 'offered' });
  expect((await scene.rejected('handoff/get', { handoff_id }, other)).message).toBe('Hand-off not found.');
  const sessions = await scene.store.listRecords('hub-sessions');
  expect(sessions).toHaveLength(1);
});

it('the name of a deleted agent is free once it has no tasks, and not before', async () => {
  const scene = await start();
  const [busy, idle] = [await scene.register('busy'), await scene.register('idle')];
  const { id } = await scene.call('message/send', SAYS, busy);
  await scene.call('agents/delete', { agent_id: 'busy' }, busy);
  await scene.call('agents/delete', { agent_id: 'idle' }, idle);
  scene.pass(91 * DAY);
  await sweep(scene);
  expect((await scene.store.listRecords('hub-agents')).map(({ key }) => key)).toEqual(['busy']);
  expect((await scene.rejected('agents/register', { agent_id: 'busy' })).details).toEqual({
    reason: 'name_reserved',
  });
  expect(await scene.call('agents/register', { agent_id: 'idle' })).toMatchObject({ new_agent: true });
  await scene.runtime.operations.cancelTask(
    { id: String(id) },
    { owner: ownerOfAgent('busy'), extensions: new Set(), signal: new AbortController().signal },
  );
  await scene.store.retention?.deleteTask(String(id));
  expect(await scene.store.readUsage(ownerKey(ownerOfAgent('busy')))).toMatchObject({ tasks: 0 });
  await sweep(scene);
  expect(await scene.call('agents/register', { agent_id: 'busy' })).toMatchObject({ new_agent: true });
});

it('agents with a generated id are removed once they are no longer used', async () => {
  const scene = await start();
  await scene.call('agents/register', {});
  scene.pass(89 * DAY);
  await sweep(scene);
  expect(await scene.store.listRecords('hub-agents')).toHaveLength(1);
  scene.pass(2 * DAY);
  await sweep(scene);
  expect(await scene.store.listRecords('hub-agents')).toEqual([]);
});

it('a run reads a bounded number of records, and the next one continues', async () => {
  const scene = await start();
  for (let index = 0; index < 250; index += 1)
    await scene.store.putRecord('hub-context-sessions', `agent/${String(index).padStart(3, '0')}`, 'gone');
  const run = forgetHubRecords(scene.store, {}, scene.now);
  const counts = [];
  for (let runs = 0; runs < 4; runs += 1) counts.push(await run(new AbortController().signal));
  expect(counts).toEqual([100, 100, 50, 0]);
});
