import { SKILL_METADATA, type Part } from '@holdword/protocol';
import { describe, expect, test } from 'vitest';
import { outline } from '../engine/testing/read-journal.ts';
import {
  readStream,
  requestContext,
  send,
  sendForTask,
  startTestOperations,
  taskIn,
} from '../operations/testing/start-test-operations.ts';
import { DEMO_SKILLS, demoAgent } from './demo-agent.ts';

async function partsAfter(text: string, parts: Part[] = [{ text }]): Promise<Part[][] | undefined> {
  const { operations } = await startTestOperations(demoAgent);
  const task = await sendForTask(operations, text, { parts });
  expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  return task.artifacts?.map((artifact) => artifact.parts);
}

describe('the demo agent', () => {
  test.each([
    ['of the message', { metadata: { [SKILL_METADATA]: 'count' } }, {}],
    ['of the request', {}, { metadata: { [SKILL_METADATA]: 'count' } }],
  ])('does what the skill in the metadata %s says', async (_, message, request) => {
    const { operations } = await startTestOperations(demoAgent);
    const task = taskIn(await operations.sendMessage(send('2', message, request), requestContext()));
    expect(task.artifacts?.[0]?.parts).toEqual([{ text: '1\n2' }]);
  });

  test('keeps to the skill of the first message', async () => {
    const { operations } = await startTestOperations(demoAgent);
    const metadata = { [SKILL_METADATA]: 'ask' };
    const { id, status } = taskIn(
      await operations.sendMessage(send('please', { metadata }), requestContext()),
    );
    expect(status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const answered = await operations.sendMessage(send('Ada', { taskId: id }), requestContext());
    expect(taskIn(answered).artifacts?.[0]?.parts).toEqual([{ text: 'Hello, Ada!' }]);
  });

  test('rejects a skill that it does not have, and names those it has', async () => {
    const { operations } = await startTestOperations(demoAgent);
    const metadata = { [SKILL_METADATA]: 'fly' };
    const task = taskIn(await operations.sendMessage(send('2', { metadata }), requestContext()));
    expect(task.status).toMatchObject({
      state: 'TASK_STATE_REJECTED',
      message: {
        parts: [{ text: expect.stringMatching(/^There is no skill "fly"\. Skills: echo, count,/) }],
      },
    });
  });

  test('echoes everything else, text and data', async () => {
    expect(await partsAfter('echo hello')).toEqual([[{ text: 'hello' }]]);
    expect(await partsAfter('good morning')).toEqual([[{ text: 'good morning' }]]);
    const data = { data: { a: 1 } };
    expect(await partsAfter('', [data])).toEqual([[data]]);
    expect(await partsAfter('', [{ text: 'echo both' }, data])).toEqual([[{ text: 'both' }, data]]);
  });

  test('counts in streamed chunks', async () => {
    const { operations } = await startTestOperations(demoAgent);
    const { events } = await readStream(
      operations.sendStreamingMessage(send('count to 3'), requestContext()),
    );
    expect(outline(events)).toEqual([
      'submitted',
      'working',
      'artifact numbers 1\n',
      'artifact+ numbers 2\n',
      'artifact+ numbers 3',
      'completed Counted to 3.',
    ]);
    expect(events[4]).toMatchObject({ artifactUpdate: { lastChunk: true } });
  });

  test('stops counting when canceled, and does not complete', async () => {
    const { engine, operations } = await startTestOperations(demoAgent);
    const configuration = { returnImmediately: true };
    const { id } = taskIn(
      await operations.sendMessage(send('count to 1000000', {}, { configuration }), requestContext()),
    );
    await operations.cancelTask({ id }, requestContext());
    await expect.poll(() => engine.turns.activity.running).toBe(0);
    const task = await operations.getTask({ id }, requestContext());
    expect(task.status.state).toBe('TASK_STATE_CANCELED');
    expect(JSON.stringify(task)).not.toContain('Counted to');
  });

  test('returns a table and a file', async () => {
    expect(await partsAfter('table')).toMatchObject([
      [{ data: { rows: [{ place: 1, planet: 'Mercury' }, {}, {}, {}] } }],
    ]);
    const [[file]] = (await partsAfter('file')) as [[Part]];
    expect(file).toMatchObject({ filename: 'planets.csv', mediaType: 'text/csv' });
    expect(Buffer.from(file.raw ?? '', 'base64').toString()).toContain('3,Earth');
  });

  test('asks a question and uses the answer', async () => {
    const { operations } = await startTestOperations(demoAgent);
    const asked = await sendForTask(operations, 'ask me');
    expect(asked.status).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED' });
    const done = await sendForTask(operations, 'Ada', { taskId: asked.id });
    expect(done).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ parts: [{ text: 'Hello, Ada!' }] }],
    });
  });

  test('asks for credentials and continues with the next message', async () => {
    const { operations } = await startTestOperations(demoAgent);
    const asked = await sendForTask(operations, 'login');
    expect(asked.status).toMatchObject({ state: 'TASK_STATE_AUTH_REQUIRED', message: { parts: [{}] } });
    expect((await sendForTask(operations, 'done', { taskId: asked.id })).status.state).toBe(
      'TASK_STATE_COMPLETED',
    );
  });

  test('waits, and can be canceled while waiting', async () => {
    expect(await partsAfter('wait 0')).toBeUndefined();
    const { engine, operations } = await startTestOperations(demoAgent);
    const configuration = { returnImmediately: true };
    const { id } = taskIn(
      await operations.sendMessage(send('wait 3600', {}, { configuration }), requestContext()),
    );
    await operations.cancelTask({ id }, requestContext());
    await expect.poll(() => engine.turns.activity.running).toBe(0);
  });

  test.each([
    ['fail', 'The demo agent failed, as you asked.'],
    ['count to 0', 'Expected a number from 1 to 1000000, found 0.'],
    ['wait 999999999', 'Expected a number from 0 to 86400, found 999999999.'],
  ])('%s fails with a reason', async (text, reason) => {
    const { operations } = await startTestOperations(demoAgent);
    expect((await sendForTask(operations, text)).status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: reason }] },
    });
  });

  test('answers hello with a message, or with a task if the client wants one', async () => {
    const { operations } = await startTestOperations(demoAgent);
    expect(await operations.sendMessage(send('hello'), requestContext())).toMatchObject({
      message: { role: 'ROLE_AGENT' },
    });
    const task = taskIn(await operations.sendMessage(send('hello'), requestContext({ idempotencyKey: 'k' })));
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('every example on its card selects its skill', () => {
    for (const skill of DEMO_SKILLS) {
      for (const example of skill.examples) {
        const understood = DEMO_SKILLS.find(({ pattern }) => pattern.test(example)) ?? DEMO_SKILLS[0];
        expect(understood?.id, example).toBe(skill.id);
      }
    }
  });
});
