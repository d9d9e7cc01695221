import { A2AError } from '@parley/protocol';
import type { AgentDescription } from '../agent-description.ts';
import type { Engine } from '../engine/engine.ts';
import type { Call } from './call.ts';
import { cancelTask } from './cancel-task.ts';
import { getTask } from './get-task.ts';
import { listTasks } from './list-tasks.ts';
import type { Operations } from './operations.ts';
import { pushNotSupported } from './push-not-supported.ts';
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
    getExtendedAgentCard: async (_request: unknown, _call: Call) => {
      throw new A2AError(
        'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
        'This agent has no extended card; its public card says all.',
      );
    },
    createTaskPushNotificationConfig: refusePush,
    getTaskPushNotificationConfig: refusePush,
    listTaskPushNotificationConfigs: refusePush,
    deleteTaskPushNotificationConfig: refusePush,
  };
}

async function refusePush(): Promise<never> {
  throw pushNotSupported();
}
