import type { JsonObject } from '@holdword/protocol';
import { asText, asObject, compact, isObject, mapArray } from './json-objects.ts';
import { corePushConfigToV03 } from './v03-push-config.ts';
import { v03StateToCore } from './v03-states.ts';

/** The JSON of A2A 0.3 in JSON-RPC: `kind` discriminators, lower-case states, nested files. */

const ROLES: Readonly<Record<string, string>> = { ROLE_USER: 'user', ROLE_AGENT: 'agent' };

export function coreMessageToV03(message: unknown): unknown {
  if (!isObject(message)) {
    return message;
  }
  const role = message['role'];
  return compact({
    ...message,
    kind: 'message',
    role: typeof role === 'string' ? (ROLES[role] ?? role) : role,
    parts: mapArray(message['parts'], corePartToV03),
  });
}

function corePartToV03({ text, raw, url, data, filename, mediaType, metadata }: JsonObject): JsonObject {
  if (raw !== undefined || url !== undefined) {
    const file = compact({ bytes: raw, uri: url, name: filename, mimeType: mediaType });
    return compact({ kind: 'file', file, metadata });
  }
  return data === undefined
    ? compact({ kind: 'text', text, metadata })
    : compact({ kind: 'data', data, metadata });
}

export function coreSendToV03({ message, configuration, metadata }: JsonObject): JsonObject {
  return compact({
    message: coreMessageToV03(message),
    configuration: isObject(configuration) ? coreConfigurationToV03(configuration) : configuration,
    metadata,
  });
}

function coreConfigurationToV03(configuration: JsonObject): JsonObject {
  const { returnImmediately, taskPushNotificationConfig, ...rest } = configuration;
  return compact({
    ...rest,
    blocking: returnImmediately === undefined ? undefined : returnImmediately !== true,
    pushNotificationConfig: isObject(taskPushNotificationConfig)
      ? corePushConfigToV03(taskPushNotificationConfig)
      : undefined,
  });
}

export function v03TaskToCore(value: unknown): JsonObject {
  const { kind, history, artifacts, status, ...task } = asObject(value);
  expectKind(kind, 'task');
  return compact({
    ...task,
    status: v03StatusToCore(status),
    artifacts: mapArray(artifacts, v03ArtifactToCore),
    history: mapArray(history, v03MessageToCore),
  });
}

export function v03MessageToCore(value: unknown): JsonObject {
  const { kind, role, parts, ...message } = asObject(value);
  expectKind(kind, 'message');
  return compact({
    ...message,
    role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    parts: mapArray(parts, v03PartToCore),
  });
}

function v03StatusToCore(value: unknown): JsonObject {
  const { state, message, ...status } = asObject(value);
  return compact({
    ...status,
    state: v03StateToCore(state),
    message: message === undefined ? undefined : v03MessageToCore(message),
  });
}

function v03ArtifactToCore({ parts, ...artifact }: JsonObject): JsonObject {
  return compact({ ...artifact, parts: mapArray(parts, v03PartToCore) });
}

function v03PartToCore({ kind, text, file, data, metadata }: JsonObject): JsonObject {
  if (kind === 'file') {
    const { bytes, uri, name, mimeType } = asObject(file);
    return compact({ raw: bytes, url: uri, filename: name, mediaType: mimeType, metadata });
  }
  return kind === 'data' ? compact({ data, metadata }) : compact({ text, metadata });
}

/** A frame of a 0.3 stream; `final` marks the end, where 1.0 closes the stream. */
export function v03EventToCore(value: unknown): JsonObject {
  const { kind, final: _final, ...event } = asObject(value);
  switch (kind) {
    case 'task':
      return { task: v03TaskToCore(value) };
    case 'message':
      return { message: v03MessageToCore(value) };
    case 'status-update':
      return { statusUpdate: { ...event, status: v03StatusToCore(event['status']) } };
    case 'artifact-update':
      return { artifactUpdate: { ...event, artifact: v03ArtifactToCore(asObject(event['artifact'])) } };
    default:
      throw new Error(`Expected a 0.3 event, received ${JSON.stringify(value)}`);
  }
}

function expectKind(found: unknown, expected: string): void {
  if (found !== expected) {
    throw new Error(`Expected kind ${expected} in a 0.3 response, received ${asText(found)}`);
  }
}
