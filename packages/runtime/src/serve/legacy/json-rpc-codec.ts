import type { JsonObject, OperationName, Role, TaskPushNotificationConfig } from '@holdword/protocol';
import {
  corePushConfigToV03,
  coreStreamResponseToV03,
  coreTaskToV03,
  invalidFields,
  isObject,
  toLegacyCard,
  v03PartToCore,
  v03PushConfigToCore,
  withoutAbsent,
} from '@holdword/protocol/internal';
import type { LegacyDialect } from './dialect.ts';

/**
 * The JSON of A2A 0.3 over JSON-RPC. Requests are translated to unvalidated 1.0 JSON and keep their mistakes, so that
 * the schema of 1.0 finds them and `coreErrorToV03` can name them. Responses are encoded from 1.0 values.
 */

/** The parameters of a 0.3 method as the request of its operation. */
export function v03ParamsToCore(operation: OperationName, params: JsonObject): unknown {
  switch (operation) {
    case 'sendMessage':
    case 'sendStreamingMessage':
      return v03SendParamsToCore(params);
    case 'createTaskPushNotificationConfig':
      return { ...v03PushConfigToCore(params['pushNotificationConfig']), taskId: params['taskId'] };
    case 'getTaskPushNotificationConfig':
    case 'deleteTaskPushNotificationConfig':
      // In 0.3 a push configuration may be requested by the task only: its id is then the task's.
      return { taskId: params['id'], id: params['pushNotificationConfigId'] ?? params['id'] };
    case 'listTaskPushNotificationConfigs':
      return { taskId: params['id'] };
    case 'getTask':
    case 'cancelTask':
    case 'subscribeToTask':
    case 'getExtendedAgentCard':
    case 'listTasks':
    default:
      return params;
  }
}

function v03SendParamsToCore({ message, configuration, metadata }: JsonObject): JsonObject {
  return withoutAbsent({
    message: isObject(message) ? v03MessageToCore(message) : message,
    configuration: isObject(configuration) ? v03ConfigurationToCore(configuration) : configuration,
    metadata,
  });
}

function v03MessageToCore(value: JsonObject): JsonObject {
  const { kind: _, role, parts, ...message } = value;
  return {
    ...message,
    role: v03RoleToCore(role),
    parts: Array.isArray(parts) ? parts.map(v03PartToCore) : parts,
  };
}

/** Checked here, because the schema would name the roles of 1.0. */
function v03RoleToCore(role: unknown): Role {
  if (role === 'user') return 'ROLE_USER';
  if (role === 'agent') return 'ROLE_AGENT';
  const found = role === undefined ? 'nothing' : 'another value';
  throw invalidFields([{ field: 'message.role', description: `expected "user" or "agent", found ${found}` }]);
}

/** Without `blocking`, 0.3 servers wait, as in 1.0. */
function v03ConfigurationToCore(configuration: JsonObject): JsonObject {
  const { acceptedOutputModes, blocking, historyLength, pushNotificationConfig } = configuration;
  return withoutAbsent({
    acceptedOutputModes,
    historyLength,
    returnImmediately: typeof blocking === 'boolean' ? !blocking : blocking,
    taskPushNotificationConfig: isObject(pushNotificationConfig)
      ? v03PushConfigToCore(pushNotificationConfig)
      : pushNotificationConfig,
  });
}

/** The JSON of responses over JSON-RPC. */
export const jsonRpcDialect: LegacyDialect = {
  streamResponse: (response) => coreStreamResponseToV03(response),
  task: (task) => coreTaskToV03(task),
  pushConfig: coreTaskPushConfigToV03,
  pushConfigs: (configs) => configs.map(coreTaskPushConfigToV03),
  card: toLegacyCard,
  nothing: null,
};

function coreTaskPushConfigToV03(config: TaskPushNotificationConfig): JsonObject {
  return { taskId: config.taskId, pushNotificationConfig: corePushConfigToV03(config) };
}
