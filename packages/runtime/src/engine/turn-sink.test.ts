import { openMemoryStore, type Store } from '@holdword/store';
import { describe, expect, test } from 'vitest';
import type { ArtifactInput } from '../executors/executor.ts';
import { LiveTask } from './live-task.ts';
import { journalOutline, readJournal } from './testing/read-journal.ts';
import { collectingLog, userMessage } from './testing/start-test-engine.ts';
import { DirectAnswer, partsOf, TurnSink } from './turn-sink.ts';

interface TestSink {
  store: Store;
  live: LiveTask;
  sink: TurnSink;
  direct: DirectAnswer | undefined;
  logged: string[];
}

function openSink(options: { direct?: boolean } = {}): TestSink {
  const store = openMemoryStore();
  const logged: string[] = [];
  const log = collectingLog(logged);
  const live = LiveTask.begin({ store, log, includeSequence: false }, 't', {
    contextId: 'c',
    owner: 'me',
    holder: 'here',
  });
  live.writeCreated({
    id: 't',
    contextId: 'c',
    status: { state: 'TASK_STATE_WORKING' },
    history: [userMessage('hello')],
  });
  const direct = options.direct === true ? new DirectAnswer() : undefined;
  return { store, live, sink: new TurnSink(live, log, direct), direct, logged };
}

describe('output', () => {
  test('is written in order without being awaited', async () => {
    const { store, sink } = openSink();
    void sink.status('thinking');
    void sink.artifact({ artifactId: 'a', parts: 'one' });
    void sink.artifact({ artifactId: 'a', parts: 'two', append: true, lastChunk: true });
    void sink.status(undefined, { metadata: { percent: 50 } });
    void sink.complete('done');
    await sink.flush();
    expect(await journalOutline(store, 't')).toEqual([
      'working',
      'working thinking',
      'artifact a one',
      'artifact+ a two',
      'working',
      'completed done',
    ]);
    const events = await readJournal(store, 't');
    expect(events[3]).toMatchObject({ artifactUpdate: { append: true, lastChunk: true } });
    expect(events[4]).toMatchObject({ statusUpdate: { metadata: { percent: 50 } } });
  });

  test('gets an artifact id if it has none', async () => {
    const { store, sink } = openSink();
    const artifactId = await sink.artifact({ parts: 'one', name: 'answer' });
    await sink.flush();
    expect((await readJournal(store, 't'))[1]).toMatchObject({
      artifactUpdate: { artifact: { artifactId, name: 'answer' } },
    });
  });

  test('is kept as it was written when the agent changes it afterwards', async () => {
    const { store, live, sink } = openSink();
    const rows = [1];
    const metadata = { page: 1 };
    await sink.artifact({ artifactId: 'a', parts: [{ data: { rows } }], metadata });
    rows.push(2);
    metadata.page = 2;
    await sink.artifact({ artifactId: 'b', parts: [{ data: { rows } }], metadata });
    await sink.flush();
    const [first] = live.committed?.toTask().artifacts ?? [];
    expect(first).toEqual({ artifactId: 'a', parts: [{ data: { rows: [1] } }], metadata: { page: 1 } });
    expect((await readJournal(store, 't'))[1]).toMatchObject({ artifactUpdate: { artifact: first } });
  });

  test.each<[string, (sink: TurnSink) => Promise<unknown>]>([
    ['without parts', (sink) => sink.artifact({ parts: [] })],
    ['that is not an artifact', (sink) => sink.artifact('hello' as unknown as ArtifactInput)],
    ['that is not JSON', (sink) => sink.complete([{ data: { big: 1n } }])],
    ['with metadata that is not JSON', (sink) => sink.status('x', { metadata: { big: 1n } })],
  ])('%s is rejected with the reason, which fails the task and is logged', async (_case, write) => {
    const { live, sink, logged } = openSink();
    await expect(write(sink)).rejects.toMatchObject({ code: 'executor-terminal' });
    expect(sink.ended).toBe(true);
    expect(logged).toHaveLength(1);
    await sink.complete();
    await sink.flush();
    expect(live.committed?.status.state).toBe('TASK_STATE_FAILED');
  });

  test('that is malformed leaves an outcome as it is', async () => {
    const { live, sink, logged } = openSink();
    await sink.complete('done');
    void sink.fail([]);
    await expect.poll(() => logged.length).toBe(1);
    await sink.flush();
    expect(live.committed?.status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('that is not an artifact is answered with how to write one', async () => {
    const { sink } = openSink();
    await expect(sink.artifact('hello' as unknown as ArtifactInput)).rejects.toThrow(
      "Write: sink.artifact({ parts: 'hello' })",
    );
  });

  test('to a lost task is rejected without ending the process', async () => {
    const { store, sink, logged } = openSink();
    await sink.flush();
    await store.acquireLease('t', 'there');
    void sink.artifact({ parts: 'one' });
    await expect(sink.flush()).rejects.toMatchObject({ code: 'stale-fence' });
    void sink.artifact({ parts: 'two' });
    await expect.poll(() => logged.length).toBe(1);
  });
});

describe('the end of a turn', () => {
  test.each([
    ['complete', 'completed bye'],
    ['fail', 'failed bye'],
    ['reject', 'rejected bye'],
    ['askInput', 'input-required bye'],
    ['askAuth', 'auth-required bye'],
  ] as const)('%s is an outcome and releases the lease', async (method, line) => {
    const { store, sink } = openSink();
    await store.heartbeat('here', 60_000);
    await sink.flush();
    await sink[method]('bye');
    await sink.finish();
    await sink.flush();
    expect(sink.ended).toBe(true);
    expect((await journalOutline(store, 't')).at(-1)).toBe(line);
    expect(await store.acquireLease('t', 'there')).toBe(2);
  });

  test('a final state given as a status is also an outcome', async () => {
    const { store, sink } = openSink();
    await sink.status('no', { state: 'TASK_STATE_REJECTED', metadata: { why: 'busy' } });
    await sink.finish();
    await sink.flush();
    expect(await journalOutline(store, 't')).toEqual(['working', 'rejected no']);
    expect((await readJournal(store, 't'))[1]).toMatchObject({ statusUpdate: { metadata: { why: 'busy' } } });
  });

  test('an agent that returns without an outcome has completed', async () => {
    const { store, sink } = openSink();
    await sink.finish();
    await sink.flush();
    expect(await journalOutline(store, 't')).toEqual(['working', 'completed']);
  });

  test('an agent may wait for credentials within its turn, and may return with the task waiting', async () => {
    const { store, sink } = openSink();
    await sink.status('log in', { state: 'TASK_STATE_AUTH_REQUIRED' });
    await sink.status('thanks');
    await sink.status('log in again', { state: 'TASK_STATE_AUTH_REQUIRED' });
    await sink.finish();
    await sink.flush();
    expect(await journalOutline(store, 't')).toEqual([
      'working',
      'auth-required log in',
      'working thanks',
      'auth-required log in again',
    ]);
  });

  test('questions carry metadata where the task keeps it', async () => {
    const { live, sink } = openSink();
    await sink.askInput('which?', { metadata: { choices: ['a', 'b'] } });
    await sink.flush();
    expect(live.committed?.status.message?.metadata).toEqual({ choices: ['a', 'b'] });
  });
});

describe('after the end (J6)', () => {
  test('answers become artifacts marked as late, progress is dropped, the state stays', async () => {
    const { live, store, sink } = openSink();
    await sink.artifact({ artifactId: 'a', parts: 'early' });
    live.writeStatus('TASK_STATE_CANCELED');
    await sink.status('still at it');
    await sink.complete('the answer');
    await sink.finish();
    await sink.flush();
    const lines = await journalOutline(store, 't');
    expect(lines.slice(0, 3)).toEqual(['working', 'artifact a early', 'canceled']);
    expect(lines).toHaveLength(4);
    const task = live.committed?.toTask();
    expect(task?.status.state).toBe('TASK_STATE_CANCELED');
    expect(task?.artifacts?.[1]).toMatchObject({
      name: 'late-answer',
      parts: [{ text: 'the answer' }],
      metadata: { late: { state: 'TASK_STATE_CANCELED', reason: 'the task had ended' } },
    });
  });

  test('late chunks are kept separately from earlier artifacts, and none is lost', async () => {
    const { live, sink } = openSink();
    await sink.artifact({ artifactId: 'a', parts: '1' });
    await sink.artifact({ artifactId: 'a', parts: '2', append: true });
    live.writeStatus('TASK_STATE_CANCELED');
    await sink.artifact({ artifactId: 'a', parts: '3', append: true });
    await sink.artifact({ artifactId: 'a', parts: '4', append: true, lastChunk: true });
    await sink.flush();
    const artifacts = live.committed?.toTask().artifacts ?? [];
    expect(artifacts.map(({ artifactId, parts }) => [artifactId, parts])).toEqual([
      ['a', [{ text: '12' }]],
      ['late-a', [{ text: '34' }]],
    ]);
  });

  test('what an agent says after its question is also late', async () => {
    const { live, sink } = openSink();
    await sink.askInput('which?');
    await sink.complete('never mind');
    await sink.flush();
    expect(live.committed?.toTask()).toMatchObject({
      status: { state: 'TASK_STATE_INPUT_REQUIRED' },
      artifacts: [{ metadata: { late: { reason: 'the turn had asked its user' } } }],
    });
  });
});

describe('plain messages', () => {
  test('are for the caller, and end the task in the journal', async () => {
    const { store, sink, direct } = openSink({ direct: true });
    await sink.message('hi', { metadata: { mood: 'good' } });
    await sink.complete();
    await sink.finish();
    await sink.flush();
    const message = await direct?.decided;
    expect(message).toMatchObject({
      role: 'ROLE_AGENT',
      contextId: 'c',
      parts: [{ text: 'hi' }],
      metadata: { mood: 'good' },
    });
    expect(message).not.toHaveProperty('taskId');
    expect(await journalOutline(store, 't')).toEqual(['working', 'completed hi']);
    const last = (await readJournal(store, 't')).at(-1);
    expect(last).toMatchObject({ statusUpdate: { status: { message: { messageId: message?.messageId } } } });
  });

  test('are the whole answer: more output is rejected', async () => {
    const { store, sink } = openSink({ direct: true });
    await sink.message('hi');
    await sink.status('working on it');
    await expect(sink.artifact({ parts: 'more' })).rejects.toMatchObject({ code: 'executor-terminal' });
    await expect(sink.complete('more')).rejects.toMatchObject({ code: 'executor-terminal' });
    await expect(sink.message('more')).rejects.toMatchObject({ code: 'executor-terminal' });
    await sink.flush();
    expect(await journalOutline(store, 't')).toEqual(['working', 'completed hi']);
  });

  test('turn into a task with the first output that needs one', async () => {
    for (const begin of [
      (sink: TurnSink) => sink.status('thinking'),
      (sink: TurnSink) => sink.artifact({ parts: 'x' }),
      (sink: TurnSink) => sink.askInput('which?'),
      (sink: TurnSink) => sink.status('no', { state: 'TASK_STATE_FAILED' }),
      (sink: TurnSink) => sink.finish(),
    ]) {
      const { store, sink, direct } = openSink({ direct: true });
      await begin(sink);
      await sink.flush();
      expect(await direct?.decided).toBeUndefined();
      expect((await journalOutline(store, 't'))[0]).toBe('working');
      await expect(sink.message('hi')).rejects.toMatchObject({ code: 'executor-terminal' });
    }
  });

  test('are not allowed in turns that have a task', async () => {
    const { sink } = openSink();
    await expect(sink.message('hi')).rejects.toThrow('already has a task');
  });

  test('that come after a cancel are kept as late, and the caller is shown the task', async () => {
    const { live, store, sink, direct } = openSink({ direct: true });
    live.writeStatus('TASK_STATE_CANCELED');
    await sink.message('hi');
    await sink.flush();
    expect(await direct?.decided).toBeUndefined();
    expect(await readJournal(store, 't')).toMatchObject([
      {},
      { statusUpdate: { status: { state: 'TASK_STATE_CANCELED' } } },
      { artifactUpdate: { artifact: { parts: [{ text: 'hi' }], metadata: { late: {} } } } },
    ]);
  });
});

describe('content', () => {
  test('accepts a text, a part or several parts', () => {
    expect(partsOf('hello')).toEqual([{ text: 'hello' }]);
    expect(partsOf({ text: 'hello', mediaType: 'text/markdown' })).toEqual([
      { text: 'hello', mediaType: 'text/markdown' },
    ]);
    expect(partsOf([{ text: 'one' }, { data: null }])).toEqual([{ text: 'one' }, { data: null }]);
  });

  test.each([
    ['no part', [], /at least one/],
    ['an empty part', {}, /exactly one of/],
    ['a part with two contents', [{ text: 'a', url: 'b' }], /exactly one of/],
  ])("rejects an agent's content with %s", (_name, content, message) => {
    expect(() => partsOf(content)).toThrow(
      expect.objectContaining({ code: 'executor-terminal', message: expect.stringMatching(message) }),
    );
  });
});
