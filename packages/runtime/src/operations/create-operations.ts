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
import { subscribeToTask } from './subscribe-to-task.ts';

export function createOperations(engine: Engine, agent: AgentDescription): Operations {
  return {
    sendMessage: (request, call) => sendMessage(engine, agent, request, call),
    sendStreamingMessage: (request, call) => sendStreamingMessage(engine, agent, request, call),
    getTask: (request, call) => getTask(engine, request, call),
    listTasks: (request, call) => listTasks(engine, request, call),
    cancelTask: (request, call) => cancelTask(engine, request, call),
    subscribeToTask: (request, call) => subscribeToTask(engine, request, call),
    createTaskPushNotificationConfig: (request, call) => createPushConfig(engine, request, call),
    getTaskPushNotificationConfig: (request, call) => getPushConfig(engine, request, call),
    listTaskPushNotificationConfigs: (request, call) => listPushConfigs(engine, request, call),
    deleteTaskPushNotificationConfig: (request, call) => deletePushConfig(engine, request, call),
  };
}
