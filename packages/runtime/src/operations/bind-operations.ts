import type { AgentDescription } from '../agent-description.ts';
import type { Engine } from '../engine/engine.ts';
import { cancelTask } from './cancel-task.ts';
import { createPushConfig } from './create-push-config.ts';
import { deletePushConfig } from './delete-push-config.ts';
import { getPushConfig } from './get-push-config.ts';
import { getTask } from './get-task.ts';
import { listPushConfigs } from './list-push-configs.ts';
import { listTasks } from './list-tasks.ts';
import type { Operations } from './operations.ts';
import { sendMessage } from './send-message.ts';
import { sendStreamingMessage } from './send-streaming-message.ts';
import { rethrowStoreError } from './rethrow-store-error.ts';
import { subscribeToTask } from './subscribe-to-task.ts';

export function bindOperations(engine: Engine, agent: AgentDescription): Operations {
  return {
    sendMessage: (request, context) => sendMessage(engine, agent, request, context).catch(rethrowStoreError),
    sendStreamingMessage: (request, context) =>
      sendStreamingMessage(engine, agent, request, context).catch(rethrowStoreError),
    getTask: (request, context) => getTask(engine, request, context).catch(rethrowStoreError),
    listTasks: (request, context) => listTasks(engine, request, context).catch(rethrowStoreError),
    cancelTask: (request, context) => cancelTask(engine, request, context).catch(rethrowStoreError),
    subscribeToTask: (request, context) => subscribeToTask(engine, request, context).catch(rethrowStoreError),
    createTaskPushNotificationConfig: (request, context) =>
      createPushConfig(engine, request, context).catch(rethrowStoreError),
    getTaskPushNotificationConfig: (request, context) =>
      getPushConfig(engine, request, context).catch(rethrowStoreError),
    listTaskPushNotificationConfigs: (request, context) =>
      listPushConfigs(engine, request, context).catch(rethrowStoreError),
    deleteTaskPushNotificationConfig: (request, context) =>
      deletePushConfig(engine, request, context).catch(rethrowStoreError),
  };
}
