import { invalidFields } from '../decode-request.ts';
import { describeValue } from '../describe-issues.ts';
import type { Artifact, Message, Part, Role, StreamResponse, Task, TaskState, TaskStatus } from '../model.ts';
import { asObject, isObject, type JsonObject, mapEach, withoutAbsent } from '../basics/json.ts';
import type {
  SendMessageConfiguration,
  SendMessageRequest,
  TaskPushNotificationConfig,
} from '../operations.ts';
import { toLegacyCard, v03CardToCore } from './v03-card.ts';
import {
  corePushConfigToV03,
  finalOfUnknown,
  isFinal,
  type V03Codec,
  v03PushConfigToCore,
  withoutTenant,
} from './v03-codec.ts';
import type {
  V03Artifact,
  V03Event,
  V03Message,
  V03Part,
  V03Task,
  V03TaskState,
  V03TaskStatus,
} from './v03-types.ts';

/** The JSON of A2A 0.3 over JSON-RPC. */
export const V03_JSON: V03Codec = {
  requests: {
    send: {
      toCore: v03SendToCore,
      toV03: (request) => coreSendToV03(request as SendMessageRequest),
    },
    task: { toCore: (params) => params, toV03: withoutTenant },
    pushConfig: {
      toCore: v03TaskPushConfigToCore,
      toV03: (request) => coreTaskPushConfigToV03(request as TaskPushNotificationConfig),
    },
    pushConfigKey: {
      // In 0.3 a push configuration may be requested by the task only: its id is then the task's.
      toCore: ({ id, pushNotificationConfigId }) => ({ taskId: id, id: pushNotificationConfigId ?? id }),
      toV03: ({ taskId, id }) => withoutAbsent({ id: taskId, pushNotificationConfigId: id }),
    },
    card: { toCore: (params) => params, toV03: withoutTenant },
  },
  values: {
    task: { toCore: v03TaskToCore, toV03: (task) => coreTaskToV03(task) },
    sendResponse: { toCore: v03EventToCore, toV03: (response) => coreStreamResponseToV03(response) },
    events: { toCore: v03EventToCore, toV03: (event) => coreStreamResponseToV03(event) },
    pushConfig: { toCore: v03TaskPushConfigToCore, toV03: coreTaskPushConfigToV03 },
    pushConfigPage: {
      toCore: (configs) => ({ configs: mapEach(configs, v03TaskPushConfigToCore), nextPageToken: '' }),
      toV03: ({ configs }) => configs.map(coreTaskPushConfigToV03),
    },
    card: { toCore: v03CardToCore, toV03: toLegacyCard },
    nothing: { toCore: () => ({}), toV03: () => null },
  },
};

function v03TaskPushConfigToCore(value: unknown): JsonObject {
  const { taskId, pushNotificationConfig } = asObject(value);
  return { ...v03PushConfigToCore(pushNotificationConfig), taskId };
}

function coreTaskPushConfigToV03(config: TaskPushNotificationConfig): JsonObject {
  return { taskId: config.taskId, pushNotificationConfig: corePushConfigToV03(config) };
}

function v03SendToCore({ message, configuration, metadata }: JsonObject): JsonObject {
  return withoutAbsent({
    message: isObject(message) ? v03SentMessageToCore(message) : message,
    configuration: isObject(configuration) ? v03ConfigurationToCore(configuration) : configuration,
    metadata,
  });
}

function v03SentMessageToCore(value: JsonObject): JsonObject {
  const { kind: _, role, parts, ...message } = value;
  return { ...message, role: v03RoleToCore(role), parts: mapEach(parts, v03PartToCore) };
}

/** Checked here, because the schema would name the roles of 1.0. */
function v03RoleToCore(role: unknown): Role {
  if (role === 'user') return 'ROLE_USER';
  if (role === 'agent') return 'ROLE_AGENT';
  const description = `expected "user" or "agent", found ${describeValue(role)}`;
  throw invalidFields([{ field: 'message.role', description }]);
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

function coreSendToV03({ message, configuration, metadata }: SendMessageRequest): JsonObject {
  return withoutAbsent({
    message: coreMessageToV03(message),
    configuration: coreConfigurationToV03(configuration),
    metadata,
  });
}

/** 0.3 does not say what an omitted `blocking` means: some servers wait and some do not. It is always written. */
function coreConfigurationToV03(configuration: SendMessageConfiguration = {}): JsonObject {
  const { acceptedOutputModes, historyLength, returnImmediately, taskPushNotificationConfig } = configuration;
  return withoutAbsent({
    acceptedOutputModes,
    historyLength,
    blocking: returnImmediately !== true,
    pushNotificationConfig: taskPushNotificationConfig && corePushConfigToV03(taskPushNotificationConfig),
  });
}

/** Marks a data part whose value is not an object: 0.3 only allows objects, so the value is wrapped in one. */
export const WRAPPED_DATA = 'data_part_compat';

/**
 * How to write data that is not an object: `wrapped` in one for the wire, as 0.3 requires, or `plain` for readers in this
 * process.
 */
export type V03Data = 'wrapped' | 'plain';

/** An event as in the JSON-RPC responses and notifications of A2A 0.3: with a `kind`, and states in lower case. */
export function coreStreamResponseToV03(response: StreamResponse, data: V03Data = 'wrapped'): V03Event {
  if ('task' in response) return coreTaskToV03(response.task, data);
  if ('message' in response) return coreMessageToV03(response.message, data);
  if ('statusUpdate' in response) {
    const { taskId, contextId, status, metadata } = response.statusUpdate;
    return {
      kind: 'status-update',
      taskId,
      contextId,
      status: coreStatusToV03(status, data),
      final: isFinal(status.state),
      ...(metadata && { metadata }),
    };
  }
  const { taskId, contextId, artifact, append, lastChunk, metadata } = response.artifactUpdate;
  return {
    kind: 'artifact-update',
    taskId,
    contextId,
    artifact: coreArtifactToV03(artifact, data),
    ...(append !== undefined && { append }),
    ...(lastChunk !== undefined && { lastChunk }),
    ...(metadata && { metadata }),
  };
}

export function coreTaskToV03(task: Task, data: V03Data = 'wrapped'): V03Task {
  const { id, contextId, status, artifacts, history, metadata } = task;
  return {
    kind: 'task',
    id,
    contextId,
    status: coreStatusToV03(status, data),
    ...(artifacts && { artifacts: artifacts.map((artifact) => coreArtifactToV03(artifact, data)) }),
    ...(history && { history: history.map((message) => coreMessageToV03(message, data)) }),
    ...(metadata && { metadata }),
  };
}

function coreStatusToV03({ state, message, timestamp }: TaskStatus, data: V03Data): V03TaskStatus {
  return {
    state: STATES[state],
    ...(message && { message: coreMessageToV03(message, data) }),
    ...(timestamp !== undefined && { timestamp }),
  };
}

const STATES: Readonly<Record<TaskState, V03TaskState>> = {
  TASK_STATE_SUBMITTED: 'submitted',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_INPUT_REQUIRED: 'input-required',
  TASK_STATE_REJECTED: 'rejected',
  TASK_STATE_AUTH_REQUIRED: 'auth-required',
};

/** The name of a state in the JSON of 0.3. A word that is not a state is returned unchanged. */
export function toV03State(state: string): string {
  return state in STATES ? STATES[state as TaskState] : state;
}

export function coreMessageToV03(message: Message, data: V03Data = 'wrapped'): V03Message {
  return {
    kind: 'message',
    ...definedFields(message),
    role: message.role === 'ROLE_USER' ? 'user' : 'agent',
    parts: message.parts.map((part) => corePartToV03(part, data)),
  };
}

export function coreArtifactToV03(artifact: Artifact, data: V03Data = 'wrapped'): V03Artifact {
  return {
    ...definedFields(artifact),
    parts: artifact.parts.map((part) => corePartToV03(part, data)),
  };
}

type Defined<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** The types of the schemas allow undefined for optional fields, those of 0.3 do not; parsed values never have it. */
function definedFields<Fields extends object>(fields: Fields): Defined<Fields> {
  return fields as Defined<Fields>;
}

function corePartToV03(part: Part, data: V03Data): V03Part {
  const metadata = part.metadata && { metadata: part.metadata };
  if (part.text !== undefined) return { kind: 'text', text: part.text, ...metadata };
  if (isObject(part.data) || (part.data !== undefined && data === 'plain')) {
    return { kind: 'data', data: part.data, ...metadata };
  }
  if (part.data !== undefined) {
    return {
      kind: 'data',
      data: { value: part.data },
      metadata: { ...part.metadata, [WRAPPED_DATA]: true },
    };
  }
  const { raw, url, mediaType, filename } = part;
  return {
    kind: 'file',
    file: {
      ...(raw !== undefined && { bytes: raw }),
      ...(url !== undefined && { uri: url }),
      ...(mediaType !== undefined && { mimeType: mediaType }),
      ...(filename !== undefined && { name: filename }),
    },
    ...metadata,
  };
}

/** The response of a send, or a stream frame, identified by its `kind`. */
export function v03EventToCore(value: unknown): JsonObject {
  const event = asObject(value);
  const { kind, final, ...fields } = event;
  switch (kind) {
    case 'message':
      return { message: v03MessageToCore(event) };
    case 'status-update': {
      const status = v03StatusToCore(event['status']);
      return { statusUpdate: { ...fields, status, ...finalOfUnknown(status, final) } };
    }
    case 'artifact-update':
      return { artifactUpdate: { ...fields, artifact: v03ArtifactToCore(event['artifact']) } };
    case 'task':
    default:
      return { task: v03TaskToCore(event) };
  }
}

export function v03TaskToCore(value: unknown): JsonObject {
  const { kind: _kind, status, artifacts, history, ...task } = asObject(value);
  return withoutAbsent({
    ...task,
    status: v03StatusToCore(status),
    artifacts: mapEach(artifacts, v03ArtifactToCore),
    history: mapEach(history, v03MessageToCore),
  });
}

function v03StatusToCore(value: unknown): JsonObject {
  const { state, message, ...status } = asObject(value);
  return withoutAbsent({
    ...status,
    state: v03StateToCore(state),
    message: message === undefined || message === null ? undefined : v03MessageToCore(message),
  });
}

/** `input-required` is `TASK_STATE_INPUT_REQUIRED`. */
function v03StateToCore(state: unknown): unknown {
  return typeof state === 'string' ? `TASK_STATE_${state.toUpperCase().replaceAll('-', '_')}` : state;
}

function v03MessageToCore(value: unknown): JsonObject {
  const { kind: _kind, role, parts, ...message } = asObject(value);
  return withoutAbsent({
    ...message,
    role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    parts: mapEach(parts, v03PartToCore),
  });
}

function v03ArtifactToCore(value: unknown): JsonObject {
  const { parts, ...artifact } = asObject(value);
  return withoutAbsent({ ...artifact, parts: mapEach(parts, v03PartToCore) });
}

/** Converts a part of 0.3 to 1.0. The result is not validated. */
export function v03PartToCore(value: unknown): JsonObject {
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
      // Invalid for the schema; `coreErrorToV03` then says what is wrong with the part.
      return {};
  }
}

function v03DataToCore(data: unknown, { [WRAPPED_DATA]: wrapped, ...metadata }: JsonObject): JsonObject {
  return {
    data: wrapped === true ? asObject(data)['value'] : data,
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}
