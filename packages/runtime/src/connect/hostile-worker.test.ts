import { expect, test } from 'vitest';
import { addConnectedAgent } from './connected-agents.ts';
import { startTestHost, stateOf, textOf, type TestHost } from './testing/start-test-host.ts';

const WORKER = 'worker-0001';

/** A worker without a program behind it, which may say anything. */
async function rawWorker(host: TestHost, { worker = WORKER, resumes = false, token = host.token } = {}) {
  const state = (holds: object[] = []) => ({ worker, slots: 10, holds });
  const hello = await host.post('hello', { ...state(), resumes }, token);
  expect(hello.status).toBe(200);
  return {
    poll: async (holds: object[] = []) => (await host.post('turns', state(holds), token)).json.news,
    report: async (batches: object[], holds: object[] = []) =>
      host.post('report', { ...state(holds), batches }, token),
  };
}

function first<Value>([value]: readonly Value[]): Value {
  expect(value).toBeDefined();
  return value as Value;
}

const text = (words: string) => ({ artifact: { artifactId: 'a', parts: [{ text: words }], append: true } });
const returned = { end: { how: 'returned' } };

test('a batch that is repeated is acknowledged and stored once', async () => {
  const host = await startTestHost();
  const worker = await rawWorker(host);
  const { id } = await host.send('hello');
  const { turn } = first(await worker.poll());
  const { taskId, fence } = turn;
  const batch = { taskId, fence, first: 1, events: [text('one'), text(' two')] };
  const receipt = { taskId, fence, outcome: 'stored', acknowledged: 2 };
  expect((await worker.report([batch])).json.receipts).toEqual([receipt]);
  expect((await worker.report([batch])).json.receipts).toEqual([receipt]);
  // It overlaps with what is known, and brings one more.
  await worker.report([{ taskId, fence, first: 2, events: [text(' two'), text(' three')] }]);
  const gap = await worker.report([{ taskId, fence, first: 9, events: [text(' nine')] }]);
  expect(gap.json.receipts).toMatchObject([{ outcome: 'stored', acknowledged: 3 }]);
  const end = { taskId, fence, first: 4, events: [returned] };
  expect((await worker.report([end])).json.receipts).toMatchObject([{ outcome: 'ended' }]);
  expect((await worker.report([end])).json.receipts).toMatchObject([{ outcome: 'ended' }]);
  const task = await host.taskWhen(id, (seen) => stateOf(seen) === 'COMPLETED');
  expect(task.artifacts?.[0]?.parts.map((part) => part.text).join('')).toBe('one two three');
});

test('a turn that got lost on the way is sent again, and one that arrived is not', async () => {
  const host = await startTestHost();
  const worker = await rawWorker(host);
  await host.send('hello');
  const { turn } = first(await worker.poll());
  expect(first(await worker.poll()).turn.fence).toBe(turn.fence);
  const held = { taskId: turn.taskId, fence: turn.fence };
  await host.call('CancelTask', { id: turn.taskId });
  expect(await worker.poll([held])).toEqual([{ abort: { ...held, reason: 'canceled' } }]);
});

test.each(['untouched', 'released'])(
  'a turn that is given back as %s can come back, under a new fence',
  async (how) => {
    const host = await startTestHost();
    const worker = await rawWorker(host, { resumes: true });
    const { id } = await host.send('hello');
    const { turn: before } = first(await worker.poll());
    await worker.report([{ taskId: id, fence: before.fence, first: 1, events: [{ end: { how } }] }]);
    const { turn: after } = first(await worker.poll());
    expect(after.fence).not.toBe(before.fence);
    expect(after).toMatchObject({ taskId: id, resumed: how === 'released' });
    await worker.report([{ taskId: id, fence: after.fence, first: 1, events: [returned] }]);
    await host.taskWhen(id, (seen) => stateOf(seen) === 'COMPLETED');
  },
);

test.each([
  [
    'a forged fence',
    (turn: { taskId: string; fence: string }) => ({ taskId: turn.taskId, fence: 'guessed' }),
  ],
  ['another task', (turn: { taskId: string; fence: string }) => ({ taskId: 'unknown', fence: turn.fence })],
])('a batch with %s changes nothing', async (_case, lease) => {
  const host = await startTestHost();
  const worker = await rawWorker(host);
  const { id } = await host.send('hello');
  const { turn } = first(await worker.poll());
  const { json } = await worker.report([{ ...lease(turn), first: 1, events: [text('evil'), returned] }]);
  expect(json.receipts).toMatchObject([{ outcome: 'stale' }]);
  expect(stateOf(await host.task(id))).toBe('WORKING');
});

test('a worker has no part in the turns of other workers and other agents', async () => {
  const host = await startTestHost();
  const worker = await rawWorker(host);
  const { id } = await host.send('hello');
  const { turn } = first(await worker.poll());
  const batch = { taskId: turn.taskId, fence: turn.fence, first: 1, events: [text('evil'), returned] };
  const sibling = await rawWorker(host, { worker: 'worker-0002' });
  expect((await sibling.report([batch])).json.receipts).toMatchObject([{ outcome: 'stale' }]);
  const { token } = await addConnectedAgent(host.store, { name: 'other' });
  const stranger = await rawWorker(host, { token, worker: WORKER });
  expect((await stranger.report([batch])).json.receipts).toMatchObject([{ outcome: 'stale' }]);
  expect((await stranger.poll([batch])).map(({ abort }) => abort.reason)).toEqual(['stale']);
  const lease = { worker: WORKER, taskId: turn.taskId, fence: turn.fence };
  expect((await host.post('history', lease, token)).status).toBe(404);
  expect(stateOf(await host.task(id))).toBe('WORKING');
});

test.each([
  ['no token', ''],
  ['an unknown token', `holdword-worker_laptop_${'x'.repeat(43)}`],
  ['the token of an agent that does not exist', `holdword-worker_nobody_${'x'.repeat(43)}`],
  ['an API key', `holdword_0123456789ab_${'x'.repeat(43)}`],
])('a worker with %s is refused', async (_case, token) => {
  const host = await startTestHost();
  const { status, json } = await host.post(
    'hello',
    { worker: WORKER, slots: 1, holds: [], resumes: false },
    token,
  );
  expect(status).toBe(401);
  expect(json.error.message).toContain('Workers need the token of their agent');
});

test.each([
  ['not JSON', '{', 400],
  ['no events', { batches: [{ taskId: 't', fence: 'f', first: 1, events: [] }] }, 400],
  [
    'a state that does not exist',
    { batches: [{ taskId: 't', fence: 'f', first: 1, events: [{ status: { state: 'TASK_STATE_RICH' } }] }] },
    400,
  ],
  ['a body that is too large', `{"x":"${'x'.repeat(19 * 1024 * 1024)}"}`, 413],
])('a report with %s is refused', async (_case, body, status) => {
  const host = await startTestHost();
  await rawWorker(host);
  const whole = typeof body === 'string' ? body : { worker: WORKER, slots: 1, holds: [], ...body };
  expect((await host.post('report', whole)).status).toBe(status);
});

test('a worker that the host does not know has to say hello', async () => {
  const host = await startTestHost();
  const { status, json } = await host.post('turns', { worker: WORKER, slots: 1, holds: [] });
  expect([status, json]).toEqual([409, { error: 'unknown-worker' }]);
});

test('a worker that does not listen gets no turn: it may be dead', async () => {
  const host = await startTestHost();
  const worker = await rawWorker(host);
  const { id } = await host.send('hello');
  const waiting = await host.taskWhen(id, ({ status }) => status.message !== undefined);
  expect(stateOf(waiting)).toBe('SUBMITTED');
  expect(first(await worker.poll()).turn.taskId).toBe(id);
});

test('an agent that exceeds the size of an event fails its task', async () => {
  const host = await startTestHost({ maxEventBytes: 10_000 });
  const worker = await rawWorker(host);
  const { id } = await host.send('hello');
  const { turn } = first(await worker.poll());
  const { taskId, fence } = turn;
  await worker.report([{ taskId, fence, first: 1, events: [text('x'.repeat(20_000)), returned] }]);
  const task = await host.taskWhen(id, (seen) => stateOf(seen) === 'FAILED');
  expect(textOf(task)).toContain('at most 10000 are allowed');
});

test('the turn of a worker that is silent fails, and what it says later changes nothing', async () => {
  const host = await startTestHost({ workerLeaseMilliseconds: 400 });
  const worker = await rawWorker(host);
  const { id } = await host.send('hello');
  const { turn } = first(await worker.poll());
  const task = await host.taskWhen(id, (seen) => stateOf(seen) === 'FAILED');
  expect(textOf(task)).toMatch(/^Interrupted: its worker has been silent/);
  const again = await rawWorker(host);
  const { taskId, fence } = turn;
  const { json } = await again.report([{ taskId, fence, first: 1, events: [text('late'), returned] }]);
  expect(json.receipts).toMatchObject([{ outcome: 'ended' }]);
  expect((await host.task(id)).artifacts).toBeUndefined();
});

test('the turn of a silent worker goes to another one that can resume it, under a new fence', async () => {
  const host = await startTestHost({ workerLeaseMilliseconds: 600 });
  const earlier = await rawWorker(host, { resumes: true });
  const { id } = await host.send('hello');
  const { turn: before } = first(await earlier.poll());
  await earlier.report([{ taskId: id, fence: before.fence, first: 1, events: [text('one')] }]);
  const resumed = Promise.withResolvers<void>();
  await host.connect({
    execute: async () => {
      throw new Error('A turn that was begun is not executed.');
    },
    resume: async (_turn, sink) => {
      resumed.resolve();
      await sink.artifact({ artifactId: 'a', parts: ' two', append: true });
    },
  });
  await resumed.promise;
  const task = await host.taskWhen(id, (seen) => stateOf(seen) === 'COMPLETED');
  expect(task.artifacts?.[0]?.parts.map((part) => part.text).join('')).toBe('one two');
});
