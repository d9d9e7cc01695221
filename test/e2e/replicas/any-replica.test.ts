import { randomBytes } from 'node:crypto';
import type { StreamResponse } from '@holdword/protocol';
import { usePostgres } from '@holdword/store/testing/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BINDINGS, type Driver, type StreamedEvent } from '../../support/drivers/driver.ts';
import { openDrivers, type Drivers } from '../../support/drivers/open-drivers.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { artifactTexts, oneByOne, outline, say, sayAndLeave, sendForTask, unique } from '../conversation.ts';
import { prepareReplicas, type Replicas } from './start-replicas.ts';

watchForLeaks();

const postgres = usePostgres();

let replicas: Replicas;
let drivers: Drivers[] = [];

beforeAll(async () => {
  replicas = await prepareReplicas(postgres());
  const started = await Promise.all([replicas.start(), replicas.start()]);
  drivers = started.map(({ target }) => openDrivers(target));
});

afterAll(async () => {
  for (const each of drivers) await each.close();
  await replicas.remove();
});

/** Two processes on one database: each responds to requests about a task of the other as the other would. */
describe.each(BINDINGS)('either of two replicas over %s', (binding) => {
  let here: Driver;
  let there: Driver;
  beforeAll(async () => {
    const [first, second] = drivers as [Drivers, Drivers];
    const choice = { binding, version: '1.0', client: 'raw' } as const;
    [here, there] = await Promise.all([first.open(choice), second.open(choice)]);
  });

  test('streams a task of the other, with the same events', async () => {
    const gate = replicas.newGate();
    const { id } = await sendForTask(here, sayAndLeave(`gate ${gate.file}`));
    await waitUntil('the agent at its gate', () => gate.isReached);
    let reading = 0;
    const readers = [here, there].map((driver) =>
      collect(driver.subscribe({ id }), () => {
        if ((reading += 1) === 2) gate.open();
      }),
    );
    const [local, remote] = await Promise.all(readers);
    expect(outline(remote ?? []).slice(1)).toEqual(['artifact+ work finished', 'completed Done.']);
    expect(remote).toEqual(local);
  });

  test('answers a blocking send that repeats one to the other when the task ends there', async () => {
    const gate = replicas.newGate();
    const headers = { 'idempotency-key': unique('key') };
    const request = say(`gate ${gate.file}`);
    const first = here.send(request, { headers });
    await waitUntil('the agent at its gate', () => gate.isReached);
    const second = there.send(request, { headers });
    gate.open();
    const [local, remote] = await Promise.all([first, second]);
    expect(remote).toEqual(local);
    expect(remote).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });

  test('creates one task for one key, whichever is asked first, and rejects a different message with it', async () => {
    const headers = { 'idempotency-key': unique('key') };
    const request = say('echo once');
    const tasks = await Promise.all(
      [here, there, here, there].map((driver) => sendForTask(driver, request, { headers })),
    );
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(1);
    await expect(there.send(say('echo twice'), { headers })).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_CONFLICT',
    });
  });

  test('accepts a message to a task that the other is still working on, after its turn', async () => {
    const gate = replicas.newGate();
    const { id } = await sendForTask(here, sayAndLeave(`gate ${gate.file} ask`));
    await waitUntil('the agent at its gate', () => gate.isReached);
    const answered = sendForTask(there, say('echo this one', { taskId: id }));
    gate.open();
    const task = await answered;
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(artifactTexts(task)).toEqual({ work: 'begun finished', echo: 'this one' });
  });

  test('makes a task wait for the one that the other has in the same context', async () => {
    const gate = replicas.newGate();
    const contextId = unique('context');
    const first = await sendForTask(here, sayAndLeave(`gate ${gate.file}`, { contextId }));
    await waitUntil('the agent at its gate', () => gate.isReached);
    const second = await sendForTask(there, sayAndLeave('echo two', { contextId }));
    expect(second.status.state).toBe('TASK_STATE_SUBMITTED');
    const reader = oneByOne(there.subscribe({ id: second.id }));
    expect((await reader.nextTask()).status.state).toBe('TASK_STATE_SUBMITTED');
    gate.open();
    expect((await reader.rest()).at(-1)).toMatch(/^completed/);
    const [ended, begun] = await Promise.all([here.get({ id: first.id }), here.get({ id: second.id })]);
    expect(Date.parse(begun.status.timestamp ?? '')).toBeGreaterThanOrEqual(
      Date.parse(ended.status.timestamp ?? ''),
    );
  });

  test('runs the turns of a context one by one, even if both are asked at the same moment (J10)', async () => {
    // Of many pairs, some meet in the moment between checking for others and starting.
    const pairs = Array.from({ length: 40 }, () => {
      const request = say(`alone ${replicas.newGate().file}`, { contextId: unique('context') });
      return [sendForTask(here, request), sendForTask(there, request)];
    });
    const tasks = await Promise.all(pairs.flat());
    expect(tasks.map(({ status }) => status.state)).toEqual(tasks.map(() => 'TASK_STATE_COMPLETED'));
  });

  test('accepts a context with the longest name', async () => {
    // 256 characters, not compressible.
    const contextId = randomBytes(192).toString('base64url');
    const tasks = await Promise.all(
      [here, there].map((driver) => sendForTask(driver, say('echo hello', { contextId }))),
    );
    expect(tasks.map(({ status }) => status.state)).toEqual(Array(2).fill('TASK_STATE_COMPLETED'));
  });

  test('cancels a task of the other, whose agent is aborted and whose last words are kept', async () => {
    const gate = replicas.newGate();
    const { id } = await sendForTask(here, sayAndLeave(`gate ${gate.file}`));
    await waitUntil('the agent at its gate', () => gate.isReached);
    const reader = oneByOne(here.subscribe({ id }));
    await reader.nextTask();
    expect((await there.cancel({ id })).status.state).toBe('TASK_STATE_CANCELED');
    expect(await reader.rest()).toEqual(['canceled']);
    await waitUntil('the agent to be called off', () => gate.isCalledOff);
    const task = await waitUntil('the late answer', async () => {
      const found = await there.get({ id });
      return found.artifacts?.length === 2 ? found : undefined;
    });
    expect(artifactTexts(task)).toEqual({ work: 'begun ', 'late-work': 'last words' });
    expect(task.status.state).toBe('TASK_STATE_CANCELED');
  });

  test('returns and lists the tasks of the other', async () => {
    const contextId = unique('context');
    const mine = await sendForTask(here, say('echo one', { contextId }));
    const theirs = await sendForTask(there, say('ask me', { contextId }));
    expect(await there.get({ id: mine.id })).toEqual(mine);
    expect(await here.get({ id: theirs.id })).toEqual(theirs);
    const [listed, listedThere] = await Promise.all([here.list({ contextId }), there.list({ contextId })]);
    expect(listed.tasks.map(({ id }) => id)).toEqual([theirs.id, mine.id]);
    expect(listedThere).toEqual(listed);
  });
});

/** All events of a stream; calls back when the first has arrived. */
async function collect(events: AsyncIterable<StreamedEvent>, onFirst: () => void): Promise<StreamResponse[]> {
  const seen: StreamResponse[] = [];
  for await (const { event } of events) {
    seen.push(event);
    if (seen.length === 1) onFirst();
  }
  return seen;
}
