import { expect, test } from 'vitest';
import type { Executor } from '../executors/executor.ts';
import {
  requestContext,
  send,
  startTestOperations,
  taskIn,
} from '../operations/testing/start-test-operations.ts';
import { answerDirectly } from './answer-directly.ts';

async function start(execute: Executor['execute']) {
  return (await startTestOperations(answerDirectly({ execute }))).operations;
}

const PICTURE = { raw: 'iVBORw==', mediaType: 'image/png' };

test('the answer is a message with the final text and the files, without a task', async () => {
  const operations = await start(async (_turn, sink) => {
    await sink.status('working');
    await sink.artifact({ artifactId: 'a', parts: 'Hel' });
    await sink.artifact({ artifactId: 'a', parts: ['lo', PICTURE].map(partOf), append: true });
    await sink.status('Hello', { state: 'TASK_STATE_COMPLETED', message: { metadata: { model: 'm' } } });
  });
  expect(await operations.sendMessage(send('hi'), requestContext())).toMatchObject({
    message: { parts: [{ text: 'Hello' }, PICTURE], metadata: { model: 'm' } },
  });
  expect((await operations.listTasks({}, requestContext())).tasks).toEqual([]);
});

test('without a final text the artifacts are the answer', async () => {
  const operations = await start(async (_turn, sink) => void (await sink.artifact({ parts: 'only this' })));
  expect(await operations.sendMessage(send('hi'), requestContext())).toMatchObject({
    message: { parts: [{ text: 'only this' }] },
  });
});

test('a failure and a question need a task, with the output so far', async () => {
  const operations = await start(async (turn, sink) => {
    await sink.artifact({ artifactId: 'a', parts: 'half' });
    if (turn.message.parts[0]?.text === 'fail') await sink.fail('broken');
    else await sink.askInput('which?', { metadata: { about: 'it' } });
  });
  const failed = taskIn(await operations.sendMessage(send('fail'), requestContext()));
  expect(failed).toMatchObject({
    status: { state: 'TASK_STATE_FAILED', message: { parts: [{ text: 'broken' }] } },
    artifacts: [{ artifactId: 'a', parts: [{ text: 'half' }] }],
  });
  const asked = taskIn(await operations.sendMessage(send('ask'), requestContext()));
  expect(asked.status).toMatchObject({
    state: 'TASK_STATE_INPUT_REQUIRED',
    message: { metadata: { about: 'it' } },
  });
});

test('a client that does not wait gets a task', async () => {
  const operations = await start(async (_turn, sink) => sink.complete('done'));
  const immediately = { configuration: { returnImmediately: true } };
  expect(
    taskIn(await operations.sendMessage(send('hi', {}, immediately), requestContext())).id,
  ).toBeDefined();
});

function partOf(content: string | typeof PICTURE): object {
  return typeof content === 'string' ? { text: content } : content;
}
