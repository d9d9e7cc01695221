import { expect, test } from 'vitest';
import { callOf, send, sendForTask, startTestOperations, taskIn } from './testing/start-test-operations.ts';

test('cancels a task that runs, once and again, and none that has ended otherwise', async () => {
  const { operations } = await startTestOperations(async (turn) => {
    if (turn.message.parts[0]?.text === 'end') return;
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
  });
  const configuration = { returnImmediately: true };
  const { id } = taskIn(await operations.sendMessage(send('go', {}, { configuration }), callOf()));
  const cancelled = await operations.cancelTask({ id }, callOf());
  expect(cancelled.status.state).toBe('TASK_STATE_CANCELED');
  expect(await operations.cancelTask({ id }, callOf())).toEqual(cancelled);
  expect(await operations.getTask({ id }, callOf())).toEqual(cancelled);

  const ended = await sendForTask(operations, 'end');
  await expect(operations.cancelTask({ id: ended.id }, callOf())).rejects.toMatchObject({
    code: 'TASK_NOT_CANCELABLE',
  });
  await expect(operations.cancelTask({ id: 'unknown' }, callOf())).rejects.toMatchObject({
    code: 'TASK_NOT_FOUND',
  });
});
