import type { OperationName } from '../operation-table.ts';

/** The binding of a 0.3 request. Each binding has different names for some fields of 1.0. */
export type V03Wire = 'JSONRPC' | 'HTTP+JSON' | 'GRPC';

type Renaming = readonly (readonly [core: RegExp, v03: string])[];

const JSON_NAMES: Renaming = [
  [/^(message\.parts\[\d+\])\.raw$/, '$1.file.bytes'],
  [/^(message\.parts\[\d+\])\.url$/, '$1.file.uri'],
  [/^(message\.parts\[\d+\])\.mediaType$/, '$1.file.mimeType'],
  [/^(message\.parts\[\d+\])\.filename$/, '$1.file.name'],
  [/^configuration\.returnImmediately$/, 'configuration.blocking'],
  [/^configuration\.taskPushNotificationConfig\b/, 'configuration.pushNotificationConfig'],
  [/\bauthentication\.scheme$/, 'authentication.schemes[0]'],
];

/** The JSON names of the package `a2a.v1`, also used for gRPC, whose fields have no other textual form. */
const PROTO_NAMES: Renaming = [
  [/^(message\.parts\[\d+\])\.raw$/, '$1.file.fileWithBytes'],
  [/^(message\.parts\[\d+\])\.url$/, '$1.file.fileWithUri'],
  [/^(message\.parts\[\d+\])\.mediaType$/, '$1.file.mimeType'],
  [/^(message\.parts\[\d+\])\.filename$/, '$1.file.name'],
  [/^message\.parts\b/, 'message.content'],
  [/^configuration\.returnImmediately$/, 'configuration.blocking'],
  [/^configuration\.taskPushNotificationConfig\b/, 'configuration.pushNotification'],
  [/\bauthentication\.scheme$/, 'authentication.schemes[0]'],
];

const NAMES: Record<V03Wire, Renaming> = {
  JSONRPC: JSON_NAMES,
  'HTTP+JSON': PROTO_NAMES,
  GRPC: PROTO_NAMES,
};

/** The path of the configuration in 0.3; in 1.0 it is the request itself. */
const NESTED_CONFIG: Record<V03Wire, string> = {
  JSONRPC: 'pushNotificationConfig',
  'HTTP+JSON': 'pushNotificationConfig',
  GRPC: 'config.pushNotificationConfig',
};

/** Converts the path of a field of a 1.0 request, such as `message.parts[0].raw`, to 0.3. */
export function toV03FieldName(wire: V03Wire, operation: OperationName, field: string): string {
  const renamed = NAMES[wire].reduce((name, [core, v03]) => name.replace(core, v03), field);
  switch (operation) {
    case 'createTaskPushNotificationConfig':
      return field === 'taskId' || field === '' ? field : `${NESTED_CONFIG[wire]}.${renamed}`;
    case 'getTaskPushNotificationConfig':
    case 'listTaskPushNotificationConfigs':
    case 'deleteTaskPushNotificationConfig':
      return wire === 'JSONRPC' ? toV03ConfigKey(field) : field;
    case 'sendMessage':
    case 'sendStreamingMessage':
    case 'getTask':
    case 'listTasks':
    case 'cancelTask':
    case 'subscribeToTask':
    case 'getExtendedAgentCard':
    default:
      return renamed;
  }
}

function toV03ConfigKey(field: string): string {
  if (field === 'taskId') return 'id';
  return field === 'id' ? 'pushNotificationConfigId' : field;
}
