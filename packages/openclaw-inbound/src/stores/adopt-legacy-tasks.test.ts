import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RESUME_EXTENSION } from '@holdword/protocol';
import { type Executor, type RequestContext, type Runtime, startRuntime } from '@holdword/runtime';
import { noopLog } from '@holdword/runtime/internal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { legacyFileName } from './legacy-record.ts';
import { MemoryStores } from './memory-stores.ts';
import { openTaskStore } from './open-task-store.ts';

const TASK_ID = '5f0c1d52-3c5e-4b0e-9a11-1f3a7f6f0a01';
const CONTEXT_ID = 'support';

const QUESTION = {
  kind: 'message',
  messageId: 'm-1',
  role: 'user',
  parts: [{ kind: 'text', text: 'What is the weather?' }],
  taskId: TASK_ID,
  contextId: CONTEXT_ID,
};
const ANSWER = {
  kind: 'message',
  messageId: 'm-2',
  role: 'agent',
  parts: [{ kind: 'text', text: 'It rains.' }],
  taskId: TASK_ID,
  contextId: CONTEXT_ID,
};
const COMPLETED = {
  kind: 'task',
  id: TASK_ID,
  contextId: CONTEXT_ID,
  status: { state: 'completed', message: ANSWER, timestamp: '2026-05-01T10:00:03.000Z' },
  artifacts: [
    {
      artifactId: 'assistant-output-0001',
      parts: [{ kind: 'text', text: 'It rains.' }],
      metadata: { sequence: 1, source: 'assistant' },
    },
  ],
  history: [QUESTION, ANSWER],
};
const BINDING = {
  schemaVersion: 1,
  agentId: 'main',
  channel: 'a2a',
  accountId: 'default',
  matchedBy: 'default',
  sessionKey: 'agent:main:a2a:default:direct:support',
  mainSessionKey: 'agent:main:main',
  storePath: '/var/lib/openclaw/sessions.json',
  peer: { kind: 'direct', id: 'support', source: 'context-id' },
  createdAt: '2026-05-01T10:00:00.000Z',
  updatedAt: '2026-05-01T10:00:03.000Z',
};

const about = { taskId: TASK_ID, contextId: CONTEXT_ID };
const JOURNAL = [
  { kind: 'status-update', ...about, status: { state: 'submitted' }, final: false },
  { kind: 'status-update', ...about, status: { state: 'working' }, final: false },
  {
    kind: 'artifact-update',
    ...about,
    artifact: COMPLETED.artifacts[0],
    append: false,
  },
  {
    kind: 'artifact-update',
    ...about,
    artifact: { artifactId: 'assistant-output-0001', parts: [] },
    append: true,
    lastChunk: true,
  },
  { kind: 'status-update', ...about, status: COMPLETED.status, final: true },
];

function versionTwo(task: object = COMPLETED, events: readonly object[] = JOURNAL): object {
  const journal = events.map((event, index) => ({ sequence: index + 1, event }));
  return { schemaVersion: 2, task, binding: BINDING, currentSequence: journal.length, journal };
}

const VERSION_ONE = { schemaVersion: 1, task: COMPLETED, binding: BINDING };

const echo: Executor = {
  execute: (turn, sink) => sink.complete(`You said: ${turn.message.parts[0]?.text}`),
};

/** A folder with one task record, and a runtime on that folder. */
async function startOn(record: unknown): Promise<{ runtime: Runtime; file: string; folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-earlier-'));
  const file = join(folder, legacyFileName(TASK_ID));
  await writeFile(file, typeof record === 'string' ? record : JSON.stringify(record));
  const taskStore = { kind: 'json-file', path: folder } as const;
  const { store } = await openTaskStore({ accountId: 'default', taskStore }, new MemoryStores(), noopLog);
  const runtime = await startRuntime({ store, executor: echo, push: false, includeSequence: false });
  onTestFinished(async () => {
    await runtime.stop({ graceMilliseconds: 0 });
    await store.close();
    await rm(folder, { recursive: true });
  });
  return { runtime, file, folder };
}

function requestContext(changes: Partial<RequestContext> = {}): RequestContext {
  return {
    owner: { tenant: '', caller: 'anonymous', authenticated: false },
    extensions: new Set(),
    signal: new AbortController().signal,
    ...changes,
  };
}

const GIVEN = { id: TASK_ID, contextId: CONTEXT_ID };
const ANSWERED = {
  ...GIVEN,
  status: {
    state: 'TASK_STATE_COMPLETED',
    timestamp: '2026-05-01T10:00:03.000Z',
    message: { role: 'ROLE_AGENT', parts: [{ text: 'It rains.' }] },
  },
  artifacts: [
    {
      artifactId: 'assistant-output-0001',
      parts: [{ text: 'It rains.' }],
      metadata: { sequence: 1, source: 'assistant' },
    },
  ],
  history: [
    { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'What is the weather?' }] },
    { messageId: 'm-2', role: 'ROLE_AGENT', parts: [{ text: 'It rains.' }] },
  ],
};

describe('a task of the legacy plugin', () => {
  test.each([
    ['1', VERSION_ONE],
    ['2', versionTwo()],
  ])('is read from a schema %s record, which is not changed', async (_, record) => {
    const { runtime, file } = await startOn(record);
    const before = await readFile(file, 'utf8');
    const task = await runtime.operations.getTask({ id: TASK_ID }, requestContext());
    expect(task).toMatchObject(ANSWERED);
    expect(task.history).toHaveLength(2);
    expect(await runtime.operations.getTask({ id: TASK_ID }, requestContext())).toEqual(task);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  test('has its journal', async () => {
    const { runtime } = await startOn(versionTwo());
    const context = requestContext({ resumeAfter: 0, extensions: new Set([RESUME_EXTENSION]) });
    const frames: unknown[] = [];
    for await (const batch of await runtime.operations.subscribeToTask({ id: TASK_ID }, context)) {
      frames.push(...batch.map(({ json, sequence }) => ({ sequence, ...JSON.parse(json) })));
    }
    expect(frames.slice(-5)).toMatchObject([
      { sequence: 2, statusUpdate: { status: { state: 'TASK_STATE_SUBMITTED' } } },
      { sequence: 3, statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } },
      { sequence: 4, artifactUpdate: { artifact: { parts: [{ text: 'It rains.' }] } } },
      { sequence: 5, artifactUpdate: { append: true, lastChunk: true } },
      { sequence: 6, statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } },
    ]);
  });

  test('is stored after that: it is found without the record', async () => {
    const { runtime, file, folder } = await startOn(versionTwo());
    await runtime.operations.getTask({ id: TASK_ID }, requestContext());
    await rm(file);
    expect(await readdir(join(folder, 'tasks'))).toHaveLength(1);
    expect(await runtime.operations.getTask({ id: TASK_ID }, requestContext())).toMatchObject(ANSWERED);
  });

  test('is adopted once by concurrent requests', async () => {
    const { runtime, folder } = await startOn(versionTwo());
    const asked = Array.from({ length: 10 }, () =>
      runtime.operations.getTask({ id: TASK_ID }, requestContext()),
    );
    for (const task of await Promise.all(asked)) expect(task).toMatchObject(ANSWERED);
    expect(await readdir(join(folder, 'tasks'))).toHaveLength(1);
  });

  test('is not visible to peers', async () => {
    const { runtime } = await startOn(versionTwo());
    const owner = { tenant: '', caller: 'peer:hermes', authenticated: true };
    await expect(
      runtime.operations.getTask({ id: TASK_ID }, requestContext({ owner })),
    ).rejects.toMatchObject({
      code: 'TASK_NOT_FOUND',
    });
  });

  test('continues if it was waiting for input', async () => {
    const status = { state: 'input-required', message: ANSWER, timestamp: '2026-05-01T10:00:03.000Z' };
    const waiting = { ...COMPLETED, status };
    const { runtime } = await startOn(
      versionTwo(waiting, [
        ...JOURNAL.slice(0, -1),
        { kind: 'status-update', ...about, status, final: true },
      ]),
    );
    const message = {
      messageId: 'm-3',
      role: 'ROLE_USER' as const,
      parts: [{ text: 'Tomorrow?' }],
      taskId: TASK_ID,
    };
    const answer = await runtime.operations.sendMessage({ message }, requestContext());
    expect(answer).toMatchObject({
      task: { ...GIVEN, status: { state: 'TASK_STATE_COMPLETED' }, artifacts: ANSWERED.artifacts },
    });
    expect('task' in answer && answer.task.history?.map(({ messageId }) => messageId).slice(0, 3)).toEqual([
      'm-1',
      'm-2',
      'm-3',
    ]);
  });

  test.each(['submitted', 'working', 'unknown'])('has failed if it was %s', async (state) => {
    const active = { ...COMPLETED, status: { state }, history: [QUESTION] };
    const { runtime } = await startOn(versionTwo(active, JOURNAL.slice(0, 3)));
    expect(await runtime.operations.getTask({ id: TASK_ID }, requestContext())).toMatchObject({
      status: {
        state: 'TASK_STATE_FAILED',
        message: { parts: [{ text: expect.stringContaining('Interrupted') }] },
      },
      artifacts: ANSWERED.artifacts,
      history: [{ messageId: 'm-1' }, { messageId: `${TASK_ID}-interrupted` }],
    });
  });

  test.each([
    ['invalid JSON', '{"schemaVersion":2', 'neither 1 nor 2'],
    ['a newer schema', { ...versionTwo(), schemaVersion: 3 }, 'neither 1 nor 2'],
    [
      'another task',
      { ...VERSION_ONE, task: { ...COMPLETED, id: 'other' } },
      'a different task than its name says',
    ],
    ['events out of order', { ...versionTwo(), journal: [at(2), at(1)] }, 'out of order'],
    [
      'more events than currentSequence',
      { ...versionTwo(), currentSequence: 2 },
      'longer than currentSequence',
    ],
    ['an invalid state', { ...VERSION_ONE, task: { ...COMPLETED, status: { state: 'x' } } }, 'A2A 0.3'],
  ])('is rejected and not changed if its record contains %s', async (_, record, problem) => {
    const { runtime, file, folder } = await startOn(record);
    const before = await readFile(file, 'utf8');
    await expect(runtime.operations.getTask({ id: TASK_ID }, requestContext())).rejects.toMatchObject({
      code: 'INTERNAL',
      cause: { code: 'corrupt', message: expect.stringContaining(problem) },
    });
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await readdir(join(folder, 'tasks'))).toEqual([]);
  });

  test('does not exist under an id that is not a valid file name', async () => {
    const { runtime } = await startOn(VERSION_ONE);
    for (const id of ['unknown', '../secret', 'x'.repeat(1000)]) {
      await expect(runtime.operations.getTask({ id }, requestContext())).rejects.toMatchObject({
        code: 'TASK_NOT_FOUND',
      });
    }
  });
});

function at(sequence: number): object {
  return { sequence, event: JOURNAL[0] };
}
