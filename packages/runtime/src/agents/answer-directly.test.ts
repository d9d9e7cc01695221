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

test('texts and files keep their order', async () => {
  const parts = [{ text: 'A' }, PICTURE, { text: 'B' }, PICTURE, { url: 'https://example.com/c.png' }];
  const operations = await start(async (_turn, sink) => {
    await sink.artifact({ artifactId: 'a', parts });
    await sink.complete(parts.filter((part) => !('raw' in part)));
  });
  expect(await operations.sendMessage(send('hi'), requestContext())).toMatchObject({ message: { parts } });
});

test('a final text that is not in the artifacts comes before the files', async () => {
  const operations = await start(async (_turn, sink) => {
    await sink.artifact({ parts: [{ text: 'thinking' }, PICTURE] });
    await sink.complete('Here it is.');
  });
  expect(await operations.sendMessage(send('hi'), requestContext())).toMatchObject({
    message: { parts: [{ text: 'Here it is.' }, PICTURE] },
  });
});

test('without a final text the artifacts are the answer', async () => {
  const operations = await start(async (_turn, sink) => void (await sink.artifact({ parts: 'only this' })));
  expect(await operations.sendMessage(send('hi'), requestContext())).toMatchObject({
    message: { parts: [{ text: 'only this' }] },
  });
});

test('a failure and a question need a task, with the output so far', async () => {
  const operations = await start(async (turn, sink) => {
    await sink.artifact({ artifactId: 'a', name: 'answer', parts: 'half', metadata: { model: 'm' } });
    if (turn.message.parts[0]?.text === 'fail') await sink.fail('broken');
    else await sink.askInput('which?', { metadata: { about: 'it' } });
  });
  const failed = taskIn(await operations.sendMessage(send('fail'), requestContext()));
  expect(failed).toMatchObject({
    status: { state: 'TASK_STATE_FAILED', message: { parts: [{ text: 'broken' }] } },
    artifacts: [{ artifactId: 'a', name: 'answer', parts: [{ text: 'half' }], metadata: { model: 'm' } }],
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
