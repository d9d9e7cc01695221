import type {
  AgentCard,
  Artifact,
  JsonObject,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
  TaskStatus,
} from '@holdword/protocol';
import {
  asObject,
  coreMessageToV03Proto,
  corePartToV03Proto,
  corePushConfigToV03,
  isFinal,
  isObject,
  toLegacyCard,
  v03ProtoPartToCore,
  v03PushConfigToCore,
  withoutAbsent,
} from '@holdword/protocol/internal';
import type { LegacyDialect } from './dialect.ts';

/**
 * The JSON of A2A 0.3 over REST: the ProtoJSON of the package `a2a.v1`, which differs from the JSON of 0.3 over
 * JSON-RPC (no `kind`, proto names of enums). Requests are translated to unvalidated 1.0 JSON and keep their mistakes.
 * Responses are encoded from 1.0 values. An absent number or flag has its proto default, because `a2a.v1` has no field
 * presence.
 */

export function v03SendRequestToCore(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { configuration, metadata } = body;
  const message = body['message'] ?? body['request'];
  return withoutAbsent({
    message: isObject(message) ? v03MessageToCore(message) : message,
    configuration: isObject(configuration) ? v03ConfigurationToCore(configuration) : configuration,
    metadata,
  });
}

function v03MessageToCore({ content, ...message }: JsonObject): unknown {
  return { ...message, parts: Array.isArray(content) ? content.map(v03ProtoPartToCore) : content };
}

function v03ConfigurationToCore(configuration: JsonObject): unknown {
  const { acceptedOutputModes, pushNotification, historyLength, blocking } = configuration;
  return withoutAbsent({
    acceptedOutputModes,
    taskPushNotificationConfig: isObject(pushNotification)
      ? v03PushConfigToCore(pushNotification)
      : pushNotification,
    historyLength: historyLength === 0 ? undefined : historyLength,
    returnImmediately: typeof blocking === 'boolean' || blocking === undefined ? !blocking : blocking,
  });
}

/** The body of a push configuration request, for the task that its path names. */
export function v03TaskPushConfigToCore(body: unknown, taskId: string): unknown {
  return { ...v03PushConfigToCore(asObject(body)['pushNotificationConfig']), taskId };
}

/** The JSON of responses over REST. */
export const restDialect: LegacyDialect = {
  streamResponse: coreStreamResponseToV03,
  task: coreTaskToV03,
  pushConfig: coreTaskPushConfigToV03,
  pushConfigs: (configs) => ({ configs: configs.map(coreTaskPushConfigToV03) }),
  card: coreCardToV03,
  nothing: {},
};

function coreTaskToV03(task: Task): JsonObject {
  return withoutAbsent({
    id: task.id,
    contextId: task.contextId,
    status: coreStatusToV03(task.status),
    artifacts: task.artifacts?.map(coreArtifactToV03),
    history: task.history?.map(coreMessageToV03Proto),
    metadata: task.metadata,
  });
}

function coreStreamResponseToV03(response: StreamResponse): JsonObject {
  if ('task' in response) return { task: coreTaskToV03(response.task) };
  if ('message' in response) return { message: coreMessageToV03Proto(response.message) };
  if ('statusUpdate' in response) {
    const { statusUpdate } = response;
    return {
      statusUpdate: {
        ...statusUpdate,
        status: coreStatusToV03(statusUpdate.status),
        final: isFinal(statusUpdate.status.state),
      },
    };
  }
  const { artifactUpdate } = response;
  return { artifactUpdate: { ...artifactUpdate, artifact: coreArtifactToV03(artifactUpdate.artifact) } };
}

function coreTaskPushConfigToV03(config: TaskPushNotificationConfig): JsonObject {
  return {
    name: `tasks/${config.taskId ?? ''}/pushNotificationConfigs/${config.id ?? ''}`,
    pushNotificationConfig: corePushConfigToV03(config),
  };
}

function coreStatusToV03(status: TaskStatus): JsonObject {
  return withoutAbsent({
    state: status.state === 'TASK_STATE_CANCELED' ? 'TASK_STATE_CANCELLED' : status.state,
    message: status.message && coreMessageToV03Proto(status.message),
    timestamp: status.timestamp,
  });
}

function coreArtifactToV03(artifact: Artifact): JsonObject {
  return { ...artifact, parts: artifact.parts.map(corePartToV03Proto) };
}

/** The proto of 0.3 already has the security schemes in the shape of 1.0. */
function coreCardToV03(card: AgentCard): JsonObject {
  const { securitySchemes, securityRequirements: security } = card;
  return withoutAbsent({ ...toLegacyCard(card), securitySchemes, security });
}
