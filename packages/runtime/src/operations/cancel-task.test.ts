import { expect, test } from 'vitest';
import {
  requestContext,
  send,
  sendForTask,
  startTestOperations,
  taskIn,
} from './testing/start-test-operations.ts';

test('cancels a running task, once or repeatedly, and no task that ended differently', async () => {
  const { operations } = await startTestOperations(async (turn) => {
    if (turn.message.parts[0]?.text === 'end') return;
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
  });
  const configuration = { returnImmediately: true };
  const { id } = taskIn(await operations.sendMessage(send('go', {}, { configuration }), requestContext()));
  const cancelled = await operations.cancelTask({ id }, requestContext());
  expect(cancelled.status.state).toBe('TASK_STATE_CANCELED');
  expect(await operations.cancelTask({ id }, requestContext())).toEqual(cancelled);
  expect(await operations.getTask({ id }, requestContext())).toEqual(cancelled);

  const ended = await sendForTask(operations, 'end');
  await expect(operations.cancelTask({ id: ended.id }, requestContext())).rejects.toMatchObject({
    code: 'TASK_NOT_CANCELABLE',
  });
  await expect(operations.cancelTask({ id: 'unknown' }, requestContext())).rejects.toMatchObject({
    code: 'TASK_NOT_FOUND',
  });
});
