import { expect, test } from 'vitest';
import { requestContext, sendForTask, startTestOperations } from './testing/start-test-operations.ts';

test('returns the whole task, or as much history as requested', async () => {
  const { operations } = await startTestOperations(async (_turn, sink) => {
    await sink.artifact({ artifactId: 'a', parts: '42' });
    await sink.complete('bye');
  });
  const sent = await sendForTask(operations, 'hi');
  expect(await operations.getTask({ id: sent.id }, requestContext())).toEqual(sent);
  const { history, ...rest } = sent;
  expect(await operations.getTask({ id: sent.id, historyLength: 0 }, requestContext())).toEqual(rest);
  expect(await operations.getTask({ id: sent.id, historyLength: 1 }, requestContext())).toEqual({
    ...rest,
    history: history?.slice(-1),
  });
});

test('says what to do about an unknown id', async () => {
  const { operations } = await startTestOperations(async () => {});
  await expect(operations.getTask({ id: 'unknown' }, requestContext())).rejects.toMatchObject({
    code: 'TASK_NOT_FOUND',
    message: expect.stringContaining('Check the id') as string,
  });
});
