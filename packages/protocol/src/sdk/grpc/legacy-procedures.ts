import { isObject } from '../../model/json.ts';
import { LegacyA2AService } from '@a2a-js/sdk/compat/v0_3/server/grpc';
import { v03ProtoEventToCore, v03ProtoTaskToCore } from '../../legacy/proto/v03-proto-response-to-core.ts';
import { v03CardToCore } from '../../legacy/v03-card-to-core.ts';
import type { Message } from '../../model/message.ts';
import type { Part } from '../../model/part.ts';
import type { SendMessageRequest, TaskPushNotificationConfig } from '../../model/requests.ts';
import { procedure, type GrpcProcedures } from './grpc-procedure.ts';
import { v03MessageToProtoJson } from './v03-message-to-proto-json.ts';

type LegacySend = Parameters<typeof LegacyA2AService.sendMessage.requestSerialize>[0];
type LegacyMessage = NonNullable<LegacySend['request']>;
type LegacyPart = LegacyMessage['content'][number];
type LegacyPushConfig = NonNullable<NonNullable<LegacySend['configuration']>['pushNotification']>;

/** The procedures of A2A 0.3, which cannot list tasks. Its numbers have no field presence: 0 means that it is missing. */
export const LEGACY_PROCEDURES = {
  sendMessage: procedure(LegacyA2AService.sendMessage, coreSendToV03, eventToCore),
  sendStreamingMessage: procedure(LegacyA2AService.sendStreamingMessage, coreSendToV03, eventToCore),
  getTask: procedure(
    LegacyA2AService.getTask,
    ({ id, historyLength }: { id: string; historyLength?: number | undefined }) => ({
      name: `tasks/${id}`,
      historyLength: historyLength ?? 0,
    }),
    taskToCore,
  ),
  cancelTask: procedure(LegacyA2AService.cancelTask, taskName, taskToCore),
  subscribeToTask: procedure(LegacyA2AService.taskSubscription, taskName, eventToCore),
  getExtendedAgentCard: procedure(
    LegacyA2AService.getAgentCard,
    () => ({}),
    (card) => v03CardToCore(v03MessageToProtoJson(card)),
  ),
} satisfies GrpcProcedures;

function taskName({ id }: { id: string }): { name: string } {
  return { name: `tasks/${id}` };
}

function eventToCore(event: object): unknown {
  return v03ProtoEventToCore(v03MessageToProtoJson(event));
}

function taskToCore(task: object): unknown {
  return v03ProtoTaskToCore(v03MessageToProtoJson(task));
}

function coreSendToV03({ message, configuration = {}, metadata }: SendMessageRequest): LegacySend {
  const { acceptedOutputModes, historyLength, returnImmediately, taskPushNotificationConfig } = configuration;
  return {
    request: coreMessageToV03(message),
    configuration: {
      acceptedOutputModes: acceptedOutputModes ?? [],
      historyLength: historyLength ?? 0,
      blocking: returnImmediately !== true,
      pushNotification: taskPushNotificationConfig && corePushConfigToV03(taskPushNotificationConfig),
    },
    metadata,
  };
}

function corePushConfigToV03(config: TaskPushNotificationConfig): LegacyPushConfig {
  const { id = '', url, token = '', authentication } = config;
  return {
    id,
    url,
    token,
    authentication: authentication && {
      schemes: [authentication.scheme],
      credentials: authentication.credentials ?? '',
    },
  };
}

/** The role is a plain number, because the SDK does not export its enum. */
function coreMessageToV03(message: Message): Omit<LegacyMessage, 'role'> & { role: number } {
  return {
    messageId: message.messageId,
    contextId: message.contextId ?? '',
    taskId: message.taskId ?? '',
    role: message.role === 'ROLE_USER' ? 1 : 2,
    content: message.parts.map(corePartToV03),
    metadata: message.metadata,
    extensions: message.extensions ?? [],
  };
}

function corePartToV03({ text, raw, url, data, mediaType = '' }: Part): LegacyPart {
  if (text !== undefined) return { part: { $case: 'text', value: text } };
  if (raw !== undefined) {
    const file = { $case: 'fileWithBytes' as const, value: Buffer.from(raw, 'base64') };
    return { part: { $case: 'file', value: { file, mimeType: mediaType } } };
  }
  if (url !== undefined) {
    const file = { $case: 'fileWithUri' as const, value: url };
    return { part: { $case: 'file', value: { file, mimeType: mediaType } } };
  }
  // The data in the proto is an object; any other value is wrapped in one.
  return { part: { $case: 'data', value: { data: isObject(data) ? data : { value: data } } } };
}
