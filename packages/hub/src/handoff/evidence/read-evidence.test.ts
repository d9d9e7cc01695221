import { createHash } from 'node:crypto';
import { startRuntime, type Executor, type Owner } from '@holdword/runtime';
import { openMemoryStore, type Store } from '@holdword/store';
import { expect, onTestFinished, test } from 'vitest';
import { keepForSuccessor } from '../keep-for-successor.ts';
import type { Evidence } from './evidence.ts';
import { readEvidence } from './read-evidence.ts';

const OWNER: Owner = { tenant: '', caller: 'runner-01', authenticated: true };

interface Work {
  readonly store: Store;
  readonly taskId: string;
  send(text: string): Promise<string>;
}

/** A task after one turn of the agent. */
async function work(execute: Executor['execute'], text = 'Port the parser.'): Promise<Work> {
  const store = openMemoryStore();
  const runtime = await startRuntime({ store, executor: keepForSuccessor({ execute }) });
  onTestFinished(() => runtime.stop());
  const send = async (words: string, taskId?: string): Promise<string> => {
    const answer = await runtime.operations.sendMessage(
      {
        message: {
          messageId: words,
          role: 'ROLE_USER',
          parts: [{ text: words }],
          ...(taskId !== undefined && { taskId }),
        },
      },
      { owner: OWNER, extensions: new Set(), signal: new AbortController().signal },
    );
    return 'task' in answer ? answer.task.id : '';
  };
  const taskId = await send(text);
  return { store, taskId, send: (words) => send(words, taskId) };
}

async function evidenceOf({ store, taskId }: Work): Promise<Evidence> {
  const evidence = await readEvidence(store, { taskId });
  if (evidence === undefined) throw new Error('Expected evidence, found no task.');
  return evidence;
}

test('collects all notes with the sequence numbers of their events', async () => {
  const parser = await work(async (_turn, sink) => {
    await sink.status('Reading the grammar.');
    await sink.status('Decision: keep the old tokens\nRisk: the cache grows');
    await sink.artifact({
      artifactId: 'plan',
      name: 'plan',
      parts: '- [x] tokens\n- [ ] err',
      append: false,
    });
    await sink.artifact({ artifactId: 'plan', parts: 'ors\n- [ ] docs\n', append: true, lastChunk: true });
    await sink.askInput('Which line endings?');
  });
  const { taskId } = parser;
  const plan = '- [x] tokens\n- [ ] errors\n- [ ] docs\n';
  const at = (sequence: number) => ({ source: { task_id: taskId, sequence } });
  expect(await evidenceOf(parser)).toMatchObject({
    task_id: taskId,
    state: 'TASK_STATE_INPUT_REQUIRED',
    events: { first: 1, last: 7, complete: true },
    request: { text: 'Port the parser.', by: 'user', ...at(1) },
    done: [{ text: 'tokens', by: 'agent', ...at(5) }],
    progress: [
      { text: 'Reading the grammar.', ...at(3) },
      { text: 'Decision: keep the old tokens\nRisk: the cache grows', ...at(4) },
    ],
    remaining: [
      { text: 'errors', ...at(6) },
      { text: 'docs', ...at(6) },
    ],
    decisions: [{ text: 'keep the old tokens', ...at(4) }],
    open_questions: [{ text: 'Which line endings?', ...at(7) }],
    last_error: null,
    artifacts: [
      {
        artifact_id: 'plan',
        complete: true,
        parts: [
          { kind: 'text', bytes: plan.length, sha256: createHash('sha256').update(plan).digest('hex') },
        ],
        ...at(6),
      },
    ],
    exact_next_action: { text: 'Answer: Which line endings?', basis: 'question', ...at(7) },
    risk_to_watch: { text: 'the cache grows', basis: 'noted', ...at(4) },
    confidence: {
      level: 'high',
      rests_on: [`all 7 events of task ${taskId}`, expect.anything(), expect.anything()],
    },
    omitted: {},
  });
});

test('an answer closes the question, and finished items are no longer open', async () => {
  const parser = await work(async (turn, sink) => {
    if (turn.message.parts[0]?.text !== 'LF') {
      await sink.artifact({ artifactId: 'plan', parts: '- [ ] errors\n- [ ] docs' });
      return sink.askInput('Which line endings?');
    }
    await sink.artifact({ artifactId: 'more', parts: '- [x] errors\nNext: write the docs' });
    return sink.askInput('Shall I go on?');
  });
  await parser.send('LF');
  const evidence = await evidenceOf(parser);
  expect(evidence.open_questions.map(({ text }) => text)).toEqual(['Shall I go on?']);
  expect(evidence.remaining.map(({ text }) => text)).toEqual(['docs']);
  expect(evidence.exact_next_action.text).toBe('Answer: Shall I go on?');
});

test('a killed agent leaves its error, an incomplete artifact and its noted next action', async () => {
  const parser = await work(async (_turn, sink) => {
    await sink.artifact({ artifactId: 'out', parts: 'Next: read the second file\n', append: false });
    await sink.status('The agent was killed by SIGKILL without an error message.', {
      state: 'TASK_STATE_FAILED',
      message: { metadata: { exitCode: 'SIGKILL' } },
    });
  });
  expect(await evidenceOf(parser)).toMatchObject({
    state: 'TASK_STATE_INPUT_REQUIRED',
    remaining: [{ text: 'Port the parser.' }],
    open_questions: [],
    last_error: { text: 'The agent was killed by SIGKILL without an error message.' },
    artifacts: [{ artifact_id: 'out', complete: false }],
    exact_next_action: { text: 'read the second file', basis: 'noted' },
    risk_to_watch: {
      text: 'This error may recur: The agent was killed by SIGKILL without an error message.',
      basis: 'error',
    },
    confidence: { level: 'high' },
  });
});

test('a failure without notes leaves the request and lowers the confidence', async () => {
  const failed = await work((_turn, sink) => sink.fail('No disk space.'));
  expect(await evidenceOf(failed)).toMatchObject({
    state: 'TASK_STATE_FAILED',
    last_error: { text: 'No disk space.' },
    exact_next_action: { text: 'Continue with the request: Port the parser.', basis: 'request' },
    confidence: { level: 'medium' },
  });
});

test('a completed task leaves its answer and no next action', async () => {
  const done = await work((_turn, sink) => sink.complete('Ported.'));
  expect(await evidenceOf(done)).toMatchObject({
    done: [{ text: 'Ported.' }],
    remaining: [],
    exact_next_action: { text: 'Nothing is left to do: the task ended in state TASK_STATE_COMPLETED.' },
    risk_to_watch: null,
  });
});

test('a completed task that reports open work has it as the next action', async () => {
  const done = await work((_turn, sink) =>
    sink.complete('I exported the list.\n- [x] export the list\n- [ ] upload the list\nNext: run upload.sh'),
  );
  expect(await evidenceOf(done)).toMatchObject({
    state: 'TASK_STATE_COMPLETED',
    remaining: [{ text: 'upload the list' }],
    exact_next_action: { text: 'run upload.sh', basis: 'noted' },
  });
});

test('long texts are truncated, and long lists keep the newest items', async () => {
  const long = await work(async (_turn, sink) => {
    for (let step = 1; step <= 60; step += 1) await sink.status(`step ${step}`);
    await sink.complete('x'.repeat(5_000));
  });
  const evidence = await evidenceOf(long);
  expect(evidence.progress).toHaveLength(50);
  expect(evidence.progress.at(-1)?.text).toBe('step 60');
  expect(evidence.omitted).toEqual({ progress: 10 });
  expect(evidence.done[0]?.text).toHaveLength(1_001);
});

test('events deleted by retention are read from the snapshot and lower the confidence', async () => {
  const done = await work(async (_turn, sink) => {
    await sink.artifact({ artifactId: 'log', parts: 'Decision: keep the names' });
    await sink.complete('Ported.');
  });
  const { store, taskId } = done;
  const { lastSequence } = (await store.readTask(taskId)) ?? { lastSequence: 0 };
  const task = {
    id: taskId,
    contextId: 'c',
    status: {
      state: 'TASK_STATE_COMPLETED',
      message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'Ported.' }] },
    },
    history: [{ messageId: 'u', role: 'ROLE_USER', parts: [{ text: 'Port the parser.' }] }],
    artifacts: [{ artifactId: 'log', parts: [{ text: 'Decision: keep the names' }] }],
  };
  await store.writeSnapshot(taskId, { sequence: lastSequence, json: JSON.stringify({ task, request: {} }) });
  expect(await store.retention?.trimJournal(taskId)).toBe(true);
  expect(await evidenceOf(done)).toMatchObject({
    events: { first: lastSequence, last: lastSequence, complete: false },
    request: { text: 'Port the parser.', source: { sequence: lastSequence } },
    done: [{ text: 'Ported.' }],
    decisions: [{ text: 'keep the names' }],
    artifacts: [{ artifact_id: 'log' }],
    confidence: { level: 'medium' },
  });
});

test('a nonexistent task has no evidence', async () => {
  expect(await readEvidence(openMemoryStore(), { taskId: 'none' })).toBeUndefined();
});

test('says how many tasks of the session were not read, and is less confident then', async () => {
  const { store, taskId } = await work(async (_turn, sink) => sink.askInput('Next: the errors'));
  const header = await store.readTask(taskId);
  const tasks = header === undefined ? [] : [header];
  const whole = await readEvidence(store, { taskId, session: { tasks, total: 1 } });
  expect(whole).toMatchObject({ omitted: {}, confidence: { level: 'high' } });
  const newest = await readEvidence(store, { taskId, session: { tasks, total: 8 } });
  expect(newest).toMatchObject({ omitted: { tasks: 7 }, confidence: { level: 'medium' } });
  expect(newest?.confidence.rests_on).toContain('7 older tasks of the session were not read');
});
