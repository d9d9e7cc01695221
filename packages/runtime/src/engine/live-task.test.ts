import { openMemoryStore, type Store } from '@holdword/store';
import { describe, expect, test } from 'vitest';
import { noopLog } from '../log.ts';
import { LiveTask, RecentFrames } from './live-task.ts';
import { gateCommits } from './testing/gate-commits.ts';
import { journalOutline } from './testing/read-journal.ts';
import { patient, userMessage } from './testing/start-test-engine.ts';

function beginLive(store: Store): LiveTask {
  const live = LiveTask.begin({ store, log: noopLog, includeSequence: true }, 't', {
    contextId: 'c',
    owner: 'me',
    holder: 'here',
  });
  live.writeCreated({
    id: 't',
    contextId: 'c',
    status: { state: 'TASK_STATE_SUBMITTED' },
    history: [userMessage('hello')],
  });
  return live;
}

test('nothing is visible before its commit (J1)', async () => {
  const gate = gateCommits(openMemoryStore());
  const live = beginLive(gate.store);
  await expect.poll(() => gate.held).toBe(1);
  live.writeStatus('TASK_STATE_WORKING');
  live.writeArtifact({ artifact: { artifactId: 'a', parts: [{ text: 'x' }] } });
  expect(live.writtenState).toBe('TASK_STATE_WORKING');
  expect(live.committed).toBeUndefined();
  expect(live.framesAfter(0)).toEqual([]);
  expect(live.committedSequence).toBe(0);

  await gate.release();
  await expect.poll(() => live.committedSequence).toBe(1);
  expect(live.committed?.toTask()).toMatchObject({ status: { state: 'TASK_STATE_SUBMITTED' } });
  expect(live.framesAfter(0)).toHaveLength(1);

  await gate.release();
  await live.flushed();
  expect(live.committed?.toTask()).toMatchObject({
    status: { state: 'TASK_STATE_WORKING' },
    artifacts: [{ artifactId: 'a' }],
  });
  expect(live.framesAfter(0)?.map(({ sequence, state }) => [sequence, state])).toEqual([
    [1, 'TASK_STATE_SUBMITTED'],
    [2, 'TASK_STATE_WORKING'],
    [3, undefined],
  ]);
});

describe('states', () => {
  test('a terminal state is the last one, even before its commit (J6)', async () => {
    const store = openMemoryStore();
    const live = beginLive(store);
    expect(live.writeStatus('TASK_STATE_WORKING')).toBe(true);
    expect(live.writeStatus('TASK_STATE_COMPLETED')).toBe(true);
    expect(live.writeStatus('TASK_STATE_CANCELED')).toBe(false);
    expect(live.writeStatus('TASK_STATE_WORKING')).toBe(false);
    await live.flushed();
    expect(await journalOutline(store, 't')).toEqual(['submitted', 'working', 'completed']);
  });

  test('a status that cannot be encoded as JSON changes nothing', async () => {
    const live = beginLive(openMemoryStore());
    expect(() => live.writeStatus('TASK_STATE_COMPLETED', undefined, { metadata: { count: 1n } })).toThrow(
      TypeError,
    );
    expect(live.writtenState).toBe('TASK_STATE_SUBMITTED');
    expect(live.writeStatus('TASK_STATE_FAILED')).toBe(true);
    await live.flushed();
    expect(live.committed?.status.state).toBe('TASK_STATE_FAILED');
  });
});

describe('waiting for the outcome', () => {
  test.each(['TASK_STATE_COMPLETED', 'TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'] as const)(
    'ends with the commit of %s',
    async (state) => {
      const gate = gateCommits(openMemoryStore());
      const live = beginLive(gate.store);
      let settled = false;
      const waiting = live.settled(patient).then(() => (settled = true));
      await gate.release();
      await expect.poll(() => live.committedSequence).toBe(1);
      live.writeStatus(state);
      await expect.poll(() => gate.held).toBe(1);
      expect(settled).toBe(false);
      await gate.release();
      await waiting;
      expect(live.committed?.status.state).toBe(state);
    },
  );

  test('ends when the caller disconnects, and when this process disposes of the task', async () => {
    const live = beginLive(openMemoryStore());
    const caller = new AbortController();
    const impatient = live.settled(caller.signal);
    caller.abort();
    await impatient;
    const waiting = live.settled(patient);
    live.dispose();
    await waiting;
    await live.settled(patient);
  });

  test('fails when the task cannot be written, unless it had its outcome', async () => {
    const store = openMemoryStore();
    const [failing, ended] = [beginLive(store), beginLive(openMemoryStore())];
    await failing.flushed();
    const told: string[] = [];
    failing.whenLost(() => told.push('before'));
    const waiting = failing.settled(patient);
    const next = failing.nextCommit(patient);
    await store.close();
    failing.writeStatus('TASK_STATE_WORKING');
    await expect(waiting).rejects.toMatchObject({ code: 'closed' });
    await next;
    await failing.nextCommit(patient);
    failing.whenLost(() => told.push('after'));
    expect(told).toEqual(['before', 'after']);
    await expect(failing.settled(patient)).rejects.toMatchObject({ code: 'closed' });

    ended.writeStatus('TASK_STATE_COMPLETED');
    await ended.flushed();
    await ended.settled(patient);
  });
});

test('saves a snapshot each time the journal has doubled, so the cost per event stays constant (J4)', async () => {
  const store = openMemoryStore();
  const live = beginLive(store);
  const text = 'x'.repeat(10_000);
  const saved: number[] = [];
  for (let count = 0; count < 100; count += 1) {
    live.writeArtifact({ artifact: { artifactId: 'a', parts: [{ text }] }, append: count > 0 });
    await live.flushed();
    const snapshot = await store.readSnapshot('t');
    if (snapshot !== undefined && snapshot.sequence !== saved.at(-1)) saved.push(snapshot.sequence);
  }
  expect(saved.length).toBeGreaterThan(1);
  expect(saved.length).toBeLessThan(6);
  for (const [index, sequence] of saved.slice(1).entries()) {
    expect(sequence).toBeGreaterThan(1.8 * (saved[index] ?? 0));
  }
});

function sequences(frames: readonly { sequence?: number }[] | undefined): (number | undefined)[] | undefined {
  return frames?.map(({ sequence }) => sequence);
}

test('returns the frames after a cursor', () => {
  const recent = new RecentFrames(7);
  for (const sequence of [8, 9, 10]) recent.add({ sequence, json: '{}' });
  expect(sequences(recent.after(7))).toEqual([8, 9, 10]);
  expect(sequences(recent.after(9))).toEqual([10]);
  expect(sequences(recent.after(10))).toEqual([]);
  expect(recent.after(6)).toBeUndefined();
});

test('drops the oldest frames by count and by size, and says so', () => {
  const many = new RecentFrames(0);
  for (let sequence = 1; sequence <= 5_000; sequence += 1) many.add({ sequence, json: '{}' });
  expect(many.after(0)).toBeUndefined();
  expect(many.after(5_000 - 1_500)).toBeUndefined();
  expect(sequences(many.after(4_998))).toEqual([4_999, 5_000]);

  const large = new RecentFrames(0);
  const json = 'x'.repeat(200 * 1_024);
  for (let sequence = 1; sequence <= 20; sequence += 1) large.add({ sequence, json });
  expect(large.after(16)).toBeUndefined();
  expect(sequences(large.after(19))).toEqual([20]);
});
