import { A2AError, type Task } from '@holdword/protocol';
import type { EventStream, Operations, RequestContext } from '../../operations/operations.ts';

/**
 * Operations whose results a test decides, for what a real agent cannot do on demand: a stream that fails midway, one
 * that never ends, one that counts how often it is pulled.
 */
export function fakeOperations(changes: Partial<Operations> = {}): Operations & { calls: RequestContext[] } {
  const calls: RequestContext[] = [];
  const note = (context: RequestContext): void => {
    calls.push(context);
  };
  return {
    calls,
    sendMessage: async (request, context) => {
      note(context);
      return { task: { ...completedTask('t-1'), history: [request.message] } };
    },
    sendStreamingMessage: async (_, context) => {
      note(context);
      return framesOf([task('t-1'), completion('t-1')]);
    },
    getTask: async ({ id }, context) => {
      note(context);
      if (id === 'unknown') throw new A2AError('TASK_NOT_FOUND', 'There is no task with this id.');
      if (id === 'broken') throw new Error('secret inner text');
      return completedTask(id);
    },
    listTasks: async (_, context) => {
      note(context);
      return { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 };
    },
    cancelTask: async ({ id }, context) => {
      note(context);
      return { ...completedTask(id), status: { state: 'TASK_STATE_CANCELED' } };
    },
    subscribeToTask: async ({ id }, context) => {
      note(context);
      return framesOf([task(id), completion(id)]);
    },
    createTaskPushNotificationConfig: pushIsOff,
    getTaskPushNotificationConfig: pushIsOff,
    listTaskPushNotificationConfigs: pushIsOff,
    deleteTaskPushNotificationConfig: pushIsOff,
    ...changes,
  };
}

function pushIsOff(): Promise<never> {
  return Promise.reject(
    new A2AError('PUSH_NOTIFICATION_NOT_SUPPORTED', 'This agent sends no push notifications.'),
  );
}

export function completedTask(id: string): Task {
  return {
    id,
    contextId: 'c-1',
    status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-02T03:04:05.678Z' },
    artifacts: [{ artifactId: 'a-1', parts: [{ text: 'hello' }] }],
  };
}

/** The first event of a task as JSON. */
export function task(id: string): string {
  return JSON.stringify({ task: { id, contextId: 'c-1', status: { state: 'TASK_STATE_SUBMITTED' } } });
}

/** Its last one. */
export function completion(id: string): string {
  return JSON.stringify({
    statusUpdate: { taskId: id, contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' } },
  });
}

/** A stream of these events one by one, numbered from 1. */
export async function* framesOf(events: readonly string[]): EventStream {
  for (const [index, json] of events.entries()) yield [{ json, sequence: index + 1 }];
}
