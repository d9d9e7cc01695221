import {
  invalidFields,
  toLegacyCard,
  type Artifact,
  type JsonObject,
  type Message,
  type OperationName,
  type Part,
  type Role,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
  type TaskState,
  type TaskStatus,
} from '@parley/protocol';
import type { LegacyDialect } from './dialect.ts';
import { asObject, isFinal, isObject, withoutAbsent } from './json-fields.ts';
import { corePushConfigToV03, v03PushConfigToCore } from './push-config-codec.ts';

/**
 * The JSON of A2A 0.3 over JSON-RPC. Requests become 1.0 JSON that no schema has accepted yet, and keep what they hold
 * wrong, so that the schema of 1.0 can name it; answers are written from 1.0 values.
 */

/** Marks a data part whose value is no object: 0.3 knows objects alone, so it travels inside one. */
const WRAPPED_DATA = 'data_part_compat';

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
      // In 0.3 the configuration of a task may be asked for by the task alone: its id is then the task's.
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

/** Refused here, because the schema would name the roles of 1.0. */
function v03RoleToCore(role: unknown): Role {
  if (role === 'user') return 'ROLE_USER';
  if (role === 'agent') return 'ROLE_AGENT';
  const found = role === undefined ? 'nothing' : 'another value';
  throw invalidFields([{ field: 'message.role', description: `expected "user" or "agent", found ${found}` }]);
}

function v03PartToCore(value: unknown): unknown {
  const { kind, text, file, data, metadata } = asObject(value);
  switch (kind) {
    case 'file': {
      const { bytes, uri, mimeType, name } = asObject(file);
      return withoutAbsent({ raw: bytes, url: uri, mediaType: mimeType, filename: name, metadata });
    }
    case 'data':
      return v03DataToCore(data, asObject(metadata));
    case 'text':
      return withoutAbsent({ text, metadata });
    default:
      return {};
  }
}

function v03DataToCore(data: unknown, { [WRAPPED_DATA]: wrapped, ...metadata }: JsonObject): JsonObject {
  return {
    data: wrapped === true ? asObject(data)['value'] : data,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}

/** Without `blocking` 0.3 servers wait, as 1.0 does. */
function v03ConfigurationToCore(configuration: JsonObject): JsonObject {
  const { acceptedOutputModes, blocking, historyLength, pushNotificationConfig } = configuration;
  return withoutAbsent({
    acceptedOutputModes,
    historyLength,
    returnImmediately: typeof blocking === 'boolean' ? !blocking : blocking,
    taskPushNotificationConfig:
      pushNotificationConfig === undefined ? undefined : v03PushConfigToCore(pushNotificationConfig),
  });
}

/** The JSON of answers over JSON-RPC. */
export const jsonRpcDialect: LegacyDialect = {
  streamResponse: coreStreamResponseToV03,
  task: coreTaskToV03,
  pushConfig: coreTaskPushConfigToV03,
  pushConfigs: (configs) => configs.map(coreTaskPushConfigToV03),
  card: toLegacyCard,
  nothing: null,
};

function coreStreamResponseToV03(response: StreamResponse): JsonObject {
  if ('task' in response) return coreTaskToV03(response.task);
  if ('message' in response) return coreMessageToV03(response.message);
  if ('statusUpdate' in response) {
    const { statusUpdate } = response;
    return {
      kind: 'status-update',
      ...statusUpdate,
      status: coreStatusToV03(statusUpdate.status),
      final: isFinal(statusUpdate.status.state),
    };
  }
  const { artifactUpdate } = response;
  return { kind: 'artifact-update', ...artifactUpdate, artifact: coreArtifactToV03(artifactUpdate.artifact) };
}

function coreTaskToV03(task: Task): JsonObject {
  return withoutAbsent({
    kind: 'task',
    id: task.id,
    contextId: task.contextId,
    status: coreStatusToV03(task.status),
    artifacts: task.artifacts?.map(coreArtifactToV03),
    history: task.history?.map(coreMessageToV03),
    metadata: task.metadata,
  });
}

function coreTaskPushConfigToV03(config: TaskPushNotificationConfig): JsonObject {
  return { taskId: config.taskId, pushNotificationConfig: corePushConfigToV03(config) };
}

function coreStatusToV03(status: TaskStatus): JsonObject {
  return withoutAbsent({
    state: coreStateToV03(status.state),
    message: status.message && coreMessageToV03(status.message),
    timestamp: status.timestamp,
  });
}

/** `TASK_STATE_INPUT_REQUIRED` is `input-required`. */
function coreStateToV03(state: TaskState): string {
  return state.slice('TASK_STATE_'.length).toLowerCase().replace('_', '-');
}

function coreMessageToV03(message: Message): JsonObject {
  return {
    kind: 'message',
    ...message,
    role: message.role === 'ROLE_USER' ? 'user' : 'agent',
    parts: message.parts.map(corePartToV03),
  };
}

function coreArtifactToV03(artifact: Artifact): JsonObject {
  return { ...artifact, parts: artifact.parts.map(corePartToV03) };
}

function corePartToV03({ text, data, raw, url, mediaType, filename, metadata }: Part): JsonObject {
  if (text !== undefined) return withoutAbsent({ kind: 'text', text, metadata });
  if (isObject(data)) return withoutAbsent({ kind: 'data', data, metadata });
  if (data !== undefined) {
    return { kind: 'data', data: { value: data }, metadata: { ...metadata, [WRAPPED_DATA]: true } };
  }
  const file = withoutAbsent({ bytes: raw, uri: url, mimeType: mediaType, name: filename });
  return withoutAbsent({ kind: 'file', file, metadata });
}
