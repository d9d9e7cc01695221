import { describe, expect, test } from 'vitest';
import type { Owner } from '../executors/executor.ts';
import type { Call } from './call.ts';
import type { Operations } from './operations.ts';
import { callOf, send, sendForTask, startTestOperations } from './testing/start-test-operations.ts';

const STRANGERS: Record<string, Owner> = {
  'another caller': { tenant: '', caller: 'you', authenticated: true },
  'the same name in another tenant': { tenant: 'other', caller: 'me', authenticated: true },
  'an anonymous caller': { tenant: '', caller: 'me', authenticated: false },
};

const OPERATIONS: Record<string, (operations: Operations, taskId: string, call: Call) => Promise<unknown>> = {
  getTask: (operations, id, call) => operations.getTask({ id }, call),
  cancelTask: (operations, id, call) => operations.cancelTask({ id }, call),
  subscribeToTask: (operations, id, call) => operations.subscribeToTask({ id }, call),
  sendMessage: (operations, taskId, call) => operations.sendMessage(send('x', { taskId }), call),
  sendStreamingMessage: (operations, taskId, call) =>
    operations.sendStreamingMessage(send('x', { taskId }), call),
};

describe.each(Object.entries(STRANGERS))('to %s (J9)', (_name, owner) => {
  test.each(Object.entries(OPERATIONS))(
    '%s says of a task what it says of no task',
    async (_operation, perform) => {
      const { operations } = await startTestOperations((_turn, sink) => sink.askInput('?'));
      const { id } = await sendForTask(operations, 'go');
      const strange = await perform(operations, id, callOf({ owner })).catch((error: unknown) => error);
      const unknown = await perform(operations, 'unknown', callOf({ owner })).catch(
        (error: unknown) => error,
      );
      expect(strange).toMatchObject({ code: 'TASK_NOT_FOUND' });
      expect(String(strange).replace(id, 'unknown')).toBe(String(unknown));
      expect((await operations.getTask({ id }, callOf())).status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    },
  );

  test('listTasks shows nothing, and contexts of the same name are apart', async () => {
    const histories: number[] = [];
    const { operations } = await startTestOperations(async (turn) => {
      histories.push((await turn.contextHistory()).length);
    });
    await sendForTask(operations, 'go', { contextId: 'shared' });
    expect(await operations.listTasks({ contextId: 'shared' }, callOf({ owner }))).toMatchObject({
      tasks: [],
      totalSize: 0,
    });
    await operations.sendMessage(send('go', { contextId: 'shared' }), callOf({ owner }));
    expect(histories).toEqual([0, 0]);
    expect((await operations.listTasks({}, callOf({ owner }))).totalSize).toBe(1);
    expect((await operations.listTasks({}, callOf())).totalSize).toBe(1);
  });
});
