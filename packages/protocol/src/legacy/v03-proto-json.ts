import type { AgentCard } from '../card/agent-card.ts';
import { invalidFields } from '../decode-request.ts';
import { describeValue } from '../describe-issues.ts';
import type { Artifact, Message, Part, StreamResponse, Task, TaskStatus } from '../model.ts';
import { asObject, isObject, type JsonObject, mapEach, withoutAbsent } from '../basics/json.ts';
import type { SendMessageRequest, TaskPushNotificationConfig } from '../operations.ts';
import { toLegacyCard, v03CardToCore } from './v03-card.ts';
import {
  corePushConfigToV03,
  finalOfUnknown,
  isFinal,
  type V03Codec,
  v03PushConfigToCore,
} from './v03-codec.ts';

/**
 * The JSON of A2A 0.3 over REST, and of its gRPC messages: the ProtoJSON of the package `a2a.v1`, which differs from the JSON
 * of 0.3 over JSON-RPC (no `kind`, proto names of enums). An absent number or flag has its proto default, because `a2a.v1`
 * has no field presence.
 */
export const V03_PROTO_JSON: V03Codec = {
  requests: {
    send: {
      toCore: v03SendToCore,
      toV03: (request) => coreSendToV03Proto(request as SendMessageRequest),
    },
    task: {
      toCore: ({ name, historyLength }) => ({
        id: readName(name, 'name').taskId,
        historyLength: historyLength === 0 ? undefined : historyLength,
      }),
      toV03: ({ id, historyLength }) => ({ name: nameOf(id), historyLength }),
    },
    pushConfig: {
      toCore: ({ parent, config }) => ({
        ...v03PushConfigToCore(asObject(config)['pushNotificationConfig']),
        taskId: readName(parent, 'parent').taskId,
      }),
      toV03: (request) => ({
        parent: nameOf(request['taskId']),
        configId: request['id'],
        config: coreTaskPushConfigToV03(request as TaskPushNotificationConfig),
      }),
    },
    pushConfigKey: {
      toCore: ({ name, parent }) =>
        name === undefined ? readName(parent, 'parent') : readName(name, 'name'),
      toV03: ({ taskId, id }) =>
        id === undefined ? { parent: nameOf(taskId) } : { name: nameOf(taskId, id) },
    },
    card: { toCore: (given) => given, toV03: () => ({}) },
  },
  values: {
    task: { toCore: v03ProtoTaskToCore, toV03: coreTaskToV03 },
    sendResponse: { toCore: v03ProtoEventToCore, toV03: coreEventToV03 },
    events: { toCore: v03ProtoEventToCore, toV03: coreEventToV03 },
    pushConfig: { toCore: v03TaskPushConfigToCore, toV03: coreTaskPushConfigToV03 },
    pushConfigPage: {
      toCore: (page) => ({
        configs: mapEach(asObject(page)['configs'] ?? [], v03TaskPushConfigToCore),
        nextPageToken: '',
      }),
      toV03: ({ configs }) => ({ configs: configs.map(coreTaskPushConfigToV03) }),
    },
    card: { toCore: v03CardToCore, toV03: coreCardToV03 },
    nothing: { toCore: () => ({}), toV03: () => ({}) },
  },
};

const NAME = /^tasks\/([^/]+)(?:\/pushNotificationConfigs\/([^/]+))?(?:\/|$)/;

/** The proto identifies a resource by its name, such as `tasks/t-1/pushNotificationConfigs/c-1`. */
function readName(name: unknown, field: string): { taskId: string | undefined; id: string | undefined } {
  const match = typeof name === 'string' ? NAME.exec(name) : null;
  if (match !== null) return { taskId: match[1], id: match[2] };
  throw invalidFields([{ field, description: `expected tasks/ID, found ${describeValue(name)}` }]);
}

function nameOf(taskId: unknown, configId?: unknown): string {
  const task = `tasks/${textOf(taskId)}`;
  return configId === undefined ? task : `${task}/pushNotificationConfigs/${textOf(configId)}`;
}

function textOf(id: unknown): string {
  return typeof id === 'string' ? id : '';
}

function v03SendToCore(given: JsonObject): JsonObject {
  const { configuration, metadata } = given;
  const message = given['message'] ?? given['request'];
  return withoutAbsent({
    message: isObject(message) ? v03SentMessageToCore(message) : message,
    configuration: isObject(configuration) ? v03ConfigurationToCore(configuration) : configuration,
    metadata,
  });
}

function v03SentMessageToCore({ content, ...message }: JsonObject): JsonObject {
  return { ...message, parts: mapEach(content, v03ProtoPartToCore) };
}

function v03ConfigurationToCore(configuration: JsonObject): JsonObject {
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

/** An omitted flag is false, so `blocking` is always written. */
function coreSendToV03Proto({ message, configuration = {}, metadata }: SendMessageRequest): JsonObject {
  const { acceptedOutputModes, historyLength, returnImmediately, taskPushNotificationConfig } = configuration;
  return withoutAbsent({
    message: coreMessageToV03Proto(message),
    configuration: withoutAbsent({
      acceptedOutputModes,
      historyLength,
      blocking: returnImmediately !== true,
      pushNotification: taskPushNotificationConfig && corePushConfigToV03(taskPushNotificationConfig),
    }),
    metadata,
  });
}

function v03TaskPushConfigToCore(value: unknown): JsonObject {
  const { name, pushNotificationConfig } = asObject(value);
  const config = v03PushConfigToCore(pushNotificationConfig);
  const { taskId, id } = readName(name, 'name');
  return withoutAbsent({ id, ...config, taskId });
}

function coreTaskPushConfigToV03(config: TaskPushNotificationConfig): JsonObject {
  return {
    name: nameOf(config.taskId, config.id ?? ''),
    pushNotificationConfig: corePushConfigToV03(config),
  };
}

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

function coreEventToV03(response: StreamResponse): JsonObject {
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

/** The name of a state in the ProtoJSON of 0.3, which spells one of them with two Ls. */
export function toV03ProtoState(state: string): string {
  return state === 'TASK_STATE_CANCELED' ? 'TASK_STATE_CANCELLED' : state;
}

function coreStatusToV03(status: TaskStatus): JsonObject {
  return withoutAbsent({
    state: toV03ProtoState(status.state),
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

/** A message in the ProtoJSON of 0.3, which has no field for task references. */
function coreMessageToV03Proto(message: Message): JsonObject {
  const { parts, referenceTaskIds: _references, ...fields } = message;
  return { ...fields, content: parts.map(corePartToV03Proto) };
}

function corePartToV03Proto({ text, data, raw, url, mediaType, filename }: Part): JsonObject {
  if (text !== undefined) return { text };
  if (data !== undefined) {
    // The data in the proto is an object; any other value is wrapped in one.
    return { data: { data: isObject(data) ? data : { value: data } } };
  }
  return {
    file: withoutAbsent({ fileWithBytes: raw, fileWithUri: url, mimeType: mediaType, name: filename }),
  };
}

/** The response of a send, or a stream frame. */
function v03ProtoEventToCore(value: unknown): JsonObject {
  const { task, message, statusUpdate, artifactUpdate } = asObject(value);
  if (task !== undefined) return { task: v03ProtoTaskToCore(task) };
  if (message !== undefined) return { message: v03ProtoMessageToCore(message) };
  if (statusUpdate !== undefined) {
    const { final, status: given, ...update } = asObject(statusUpdate);
    const status = v03ProtoStatusToCore(given);
    return { statusUpdate: { ...update, status, ...finalOfUnknown(status, final) } };
  }
  const { artifact, ...update } = asObject(artifactUpdate);
  return { artifactUpdate: { ...update, artifact: v03ProtoArtifactToCore(artifact) } };
}

function v03ProtoTaskToCore(value: unknown): JsonObject {
  const { status, artifacts, history, ...task } = asObject(value);
  return withoutAbsent({
    ...task,
    status: v03ProtoStatusToCore(status),
    artifacts: mapEach(artifacts, v03ProtoArtifactToCore),
    history: mapEach(history, v03ProtoMessageToCore),
  });
}

function v03ProtoStatusToCore(value: unknown): JsonObject {
  const { state, message, ...status } = asObject(value);
  return withoutAbsent({
    ...status,
    state: state === 'TASK_STATE_CANCELLED' ? 'TASK_STATE_CANCELED' : state,
    message: message === undefined || message === null ? undefined : v03ProtoMessageToCore(message),
  });
}

function v03ProtoMessageToCore(value: unknown): JsonObject {
  const { content, ...message } = asObject(value);
  return withoutAbsent({ ...message, parts: mapEach(content, v03ProtoPartToCore) });
}

function v03ProtoArtifactToCore(value: unknown): JsonObject {
  const { parts, ...artifact } = asObject(value);
  return withoutAbsent({ ...artifact, parts: mapEach(parts, v03ProtoPartToCore) });
}

/** Converts a part in the ProtoJSON of 0.3 to 1.0. The result is not validated. */
function v03ProtoPartToCore(value: unknown): JsonObject {
  const { text, file, data, metadata } = asObject(value);
  if (file !== undefined) {
    const { fileWithBytes, fileWithUri, mimeType, name } = asObject(file);
    return withoutAbsent({
      raw: fileWithBytes,
      url: fileWithUri,
      mediaType: mimeType,
      filename: name,
      metadata,
    });
  }
  if (data !== undefined) return withoutAbsent({ data: asObject(data)['data'], metadata });
  return withoutAbsent({ text, metadata });
}
