import { describe, expect, test } from 'vitest';
import type { Owner } from '../owner.ts';
import type { RequestContext } from './request-context.ts';
import type { Operations } from './operations.ts';
import { requestContext, send, sendForTask, startTestOperations } from './testing/start-test-operations.ts';

const STRANGERS: Record<string, Owner> = {
  'another caller': { tenant: '', caller: 'you', authenticated: true },
  'the same name in another tenant': { tenant: 'other', caller: 'me', authenticated: true },
  'an anonymous caller': { tenant: '', caller: 'me', authenticated: false },
};

const OPERATIONS: Record<
  string,
  (operations: Operations, taskId: string, context: RequestContext) => Promise<unknown>
> = {
  getTask: (operations, id, context) => operations.getTask({ id }, context),
  cancelTask: (operations, id, context) => operations.cancelTask({ id }, context),
  subscribeToTask: (operations, id, context) => operations.subscribeToTask({ id }, context),
  sendMessage: (operations, taskId, context) => operations.sendMessage(send('x', { taskId }), context),
  sendStreamingMessage: (operations, taskId, context) =>
    operations.sendStreamingMessage(send('x', { taskId }), context),
};

describe.each(Object.entries(STRANGERS))('to %s (J9)', (_name, owner) => {
  test.each(Object.entries(OPERATIONS))(
    '%s responds as if the task did not exist',
    async (_operation, perform) => {
      const { operations } = await startTestOperations((_turn, sink) => sink.askInput('?'));
      const { id } = await sendForTask(operations, 'go');
      const strange = await perform(operations, id, requestContext({ owner })).catch(
        (error: unknown) => error,
      );
      const unknown = await perform(operations, 'unknown', requestContext({ owner })).catch(
        (error: unknown) => error,
      );
      expect(strange).toMatchObject({ code: 'TASK_NOT_FOUND' });
      expect(String(strange).replace(id, 'unknown')).toBe(String(unknown));
      expect((await operations.getTask({ id }, requestContext())).status.state).toBe(
        'TASK_STATE_INPUT_REQUIRED',
      );
    },
  );

  test('listTasks returns nothing, and contexts with the same name are separate', async () => {
    const histories: number[] = [];
    const { operations } = await startTestOperations(async (turn) => {
      histories.push((await turn.contextHistory()).length);
    });
    await sendForTask(operations, 'go', { contextId: 'shared' });
    expect(await operations.listTasks({ contextId: 'shared' }, requestContext({ owner }))).toMatchObject({
      tasks: [],
      totalSize: 0,
    });
    await operations.sendMessage(send('go', { contextId: 'shared' }), requestContext({ owner }));
    expect(histories).toEqual([0, 0]);
    expect((await operations.listTasks({}, requestContext({ owner }))).totalSize).toBe(1);
    expect((await operations.listTasks({}, requestContext())).totalSize).toBe(1);
  });
});
