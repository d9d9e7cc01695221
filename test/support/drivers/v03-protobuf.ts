import type { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import type { JsonObject } from '@holdword/protocol';
import { asObject, asText, compact, isObject } from './json-objects.ts';
import { v03ProtoStateToCore } from './v03-states.ts';

/** Converts between the 0.3 protobuf objects of the SDK's codecs and A2A 1.0 JSON. */

type Service = typeof LegacyA2AService;
type SendRequest = Parameters<Service['sendMessage']['requestSerialize']>[0];
type SendResponse = ReturnType<Service['sendMessage']['responseDeserialize']>;
type StreamResponse = ReturnType<Service['sendStreamingMessage']['responseDeserialize']>;
type LegacyTask = ReturnType<Service['getTask']['responseDeserialize']>;
type LegacyMessage = NonNullable<SendRequest['request']>;
type LegacyPart = LegacyMessage['content'][number];
type LegacyStatus = NonNullable<LegacyTask['status']>;
type LegacyArtifact = LegacyTask['artifacts'][number];

const ROLES = ['ROLE_UNSPECIFIED', 'ROLE_USER', 'ROLE_AGENT'];

type LegacyPushConfig = NonNullable<NonNullable<SendRequest['configuration']>['pushNotification']>;

export function corePushConfigToV03Pb({ id, url, token, authentication }: JsonObject): LegacyPushConfig {
  const { scheme, credentials } = asObject(authentication ?? {});
  return {
    id: asText(id ?? ''),
    url: asText(url),
    token: asText(token ?? ''),
    authentication:
      authentication === undefined
        ? undefined
        : { schemes: [asText(scheme)], credentials: asText(credentials ?? '') },
  };
}

export function coreSendToV03Pb({ message, configuration, metadata }: JsonObject): SendRequest {
  const { returnImmediately, historyLength, acceptedOutputModes, taskPushNotificationConfig } = isObject(
    configuration,
  )
    ? configuration
    : {};
  return {
    request: isObject(message) ? coreMessageToV03Pb(message) : undefined,
    configuration: {
      acceptedOutputModes: strings(acceptedOutputModes),
      pushNotification: isObject(taskPushNotificationConfig)
        ? corePushConfigToV03Pb(taskPushNotificationConfig)
        : undefined,
      historyLength: Number(historyLength ?? 0),
      blocking: returnImmediately !== true,
    },
    metadata: isObject(metadata) ? metadata : undefined,
  };
}

/** The role is a plain number, so that unknown roles can be sent. */
function coreMessageToV03Pb(message: JsonObject): Omit<LegacyMessage, 'role'> & { role: number } {
  const parts: unknown = message['parts'];
  return {
    messageId: asText(message['messageId'] ?? ''),
    contextId: asText(message['contextId'] ?? ''),
    taskId: asText(message['taskId'] ?? ''),
    role: ROLES.indexOf(asText(message['role'] ?? 'ROLE_UNSPECIFIED')),
    content: Array.isArray(parts) ? parts.map((part: JsonObject) => corePartToV03Pb(part)) : [],
    metadata: isObject(message['metadata']) ? message['metadata'] : undefined,
    extensions: strings(message['extensions']),
  };
}

function corePartToV03Pb({ text, raw, url, data, mediaType }: JsonObject): LegacyPart {
  const mimeType = asText(mediaType ?? '');
  if (typeof text === 'string') {
    return { part: { $case: 'text', value: text } };
  }
  if (typeof raw === 'string') {
    const value = Buffer.from(raw, 'base64');
    return { part: { $case: 'file', value: { file: { $case: 'fileWithBytes', value }, mimeType } } };
  }
  if (typeof url === 'string') {
    return { part: { $case: 'file', value: { file: { $case: 'fileWithUri', value: url }, mimeType } } };
  }
  return isObject(data) ? { part: { $case: 'data', value: { data } } } : { part: undefined };
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(asText) : [];
}

export function v03PbTaskToCore(task: LegacyTask): JsonObject {
  return compact({
    id: task.id,
    contextId: task.contextId,
    status: v03PbStatusToCore(task.status),
    artifacts: filled(task.artifacts.map(v03PbArtifactToCore)),
    history: filled(task.history.map(v03PbMessageToCore)),
    metadata: task.metadata,
  });
}

function v03PbStatusToCore(status: LegacyStatus | undefined): JsonObject {
  return compact({
    state: v03ProtoStateToCore(status?.state),
    message: status?.update === undefined ? undefined : v03PbMessageToCore(status.update),
    timestamp: status?.timestamp,
  });
}

function v03PbMessageToCore(message: LegacyMessage): JsonObject {
  return compact({
    messageId: message.messageId,
    contextId: message.contextId === '' ? undefined : message.contextId,
    taskId: message.taskId === '' ? undefined : message.taskId,
    role: ROLES[message.role],
    parts: message.content.map(v03PbPartToCore),
    metadata: message.metadata,
    extensions: filled(message.extensions),
  });
}

function v03PbArtifactToCore(artifact: LegacyArtifact): JsonObject {
  return compact({
    artifactId: artifact.artifactId,
    name: artifact.name === '' ? undefined : artifact.name,
    description: artifact.description === '' ? undefined : artifact.description,
    parts: artifact.parts.map(v03PbPartToCore),
    metadata: artifact.metadata,
    extensions: filled(artifact.extensions),
  });
}

function v03PbPartToCore({ part }: LegacyPart): JsonObject {
  switch (part?.$case) {
    case 'text':
      return { text: part.value };
    case 'data':
      return { data: part.value.data };
    case 'file': {
      const { file, mimeType } = part.value;
      return compact({
        raw: file?.$case === 'fileWithBytes' ? Buffer.from(file.value).toString('base64') : undefined,
        url: file?.$case === 'fileWithUri' ? file.value : undefined,
        mediaType: mimeType === '' ? undefined : mimeType,
      });
    }
    case undefined:
    default:
      return {};
  }
}

function filled<T>(values: T[]): T[] | undefined {
  return values.length === 0 ? undefined : values;
}

export function v03PbEventToCore({ payload }: SendResponse | StreamResponse): JsonObject {
  switch (payload?.$case) {
    case 'task':
      return { task: v03PbTaskToCore(payload.value) };
    case 'msg':
      return { message: v03PbMessageToCore(payload.value) };
    case 'statusUpdate': {
      const { taskId, contextId, status, metadata } = payload.value;
      return { statusUpdate: compact({ taskId, contextId, status: v03PbStatusToCore(status), metadata }) };
    }
    case 'artifactUpdate': {
      const { taskId, contextId, artifact, append, lastChunk, metadata } = payload.value;
      if (artifact === undefined) {
        throw new Error('A 0.3 artifact update has no artifact');
      }
      return {
        artifactUpdate: compact({
          taskId,
          contextId,
          artifact: v03PbArtifactToCore(artifact),
          append: append || undefined,
          lastChunk: lastChunk || undefined,
          metadata,
        }),
      };
    }
    case undefined:
    default:
      throw new Error('A 0.3 response has no payload');
  }
}
