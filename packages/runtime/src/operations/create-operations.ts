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
import { refuseForStore } from './store-refusal.ts';
import { subscribeToTask } from './subscribe-to-task.ts';

export function createOperations(engine: Engine, agent: AgentDescription): Operations {
  return {
    sendMessage: (request, call) => sendMessage(engine, agent, request, call).catch(refuseForStore),
    sendStreamingMessage: (request, call) =>
      sendStreamingMessage(engine, agent, request, call).catch(refuseForStore),
    getTask: (request, call) => getTask(engine, request, call).catch(refuseForStore),
    listTasks: (request, call) => listTasks(engine, request, call).catch(refuseForStore),
    cancelTask: (request, call) => cancelTask(engine, request, call).catch(refuseForStore),
    subscribeToTask: (request, call) => subscribeToTask(engine, request, call).catch(refuseForStore),
    createTaskPushNotificationConfig: (request, call) =>
      createPushConfig(engine, request, call).catch(refuseForStore),
    getTaskPushNotificationConfig: (request, call) =>
      getPushConfig(engine, request, call).catch(refuseForStore),
    listTaskPushNotificationConfigs: (request, call) =>
      listPushConfigs(engine, request, call).catch(refuseForStore),
    deleteTaskPushNotificationConfig: (request, call) =>
      deletePushConfig(engine, request, call).catch(refuseForStore),
  };
}
