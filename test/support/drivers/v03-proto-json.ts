import type { JsonObject } from '@holdword/protocol';
import { asObject, compact, isObject, mapArray } from './json-objects.ts';
import { corePushConfigToV03 } from './v03-push-config.ts';
import { v03ProtoStateToCore } from './v03-states.ts';

/** The ProtoJSON of A2A 0.3 in its REST binding: `content` for parts, nested `file` and `data`. */

export function coreSendToV03Proto({ message, configuration, metadata }: JsonObject): JsonObject {
  return compact({
    message: isObject(message) ? coreMessageToV03Proto(message) : message,
    configuration: isObject(configuration) ? coreConfigurationToV03Proto(configuration) : BLOCKING,
    metadata,
  });
}

/** In the 0.3 protobuf a missing `blocking` is false, so a client that wants the default of 1.0 has to set it. */
const BLOCKING: JsonObject = { blocking: true };

function coreConfigurationToV03Proto(configuration: JsonObject): JsonObject {
  const { returnImmediately, taskPushNotificationConfig, ...rest } = configuration;
  return compact({
    ...rest,
    blocking: returnImmediately !== true,
    pushNotification: isObject(taskPushNotificationConfig)
      ? corePushConfigToV03(taskPushNotificationConfig)
      : undefined,
  });
}

function coreMessageToV03Proto({ parts, referenceTaskIds: _references, ...message }: JsonObject): JsonObject {
  return compact({ ...message, content: mapArray(parts, corePartToV03Proto) });
}

function corePartToV03Proto({ text, raw, url, data, mediaType }: JsonObject): JsonObject {
  if (raw !== undefined || url !== undefined) {
    return { file: compact({ fileWithBytes: raw, fileWithUri: url, mimeType: mediaType }) };
  }
  return data === undefined ? compact({ text }) : { data: { data } };
}

export function v03ProtoTaskToCore(value: unknown): JsonObject {
  const { status, artifacts, history, ...task } = asObject(value);
  return compact({
    ...task,
    status: v03ProtoStatusToCore(status),
    artifacts: mapArray(artifacts, v03ProtoArtifactToCore),
    history: mapArray(history, v03ProtoMessageToCore),
  });
}

export function v03ProtoMessageToCore(value: unknown): JsonObject {
  const { content, ...message } = asObject(value);
  return compact({ ...message, parts: mapArray(content, v03ProtoPartToCore) });
}

function v03ProtoStatusToCore(value: unknown): JsonObject {
  const { state, message, ...status } = asObject(value);
  return compact({
    ...status,
    state: v03ProtoStateToCore(state),
    message: message === undefined ? undefined : v03ProtoMessageToCore(message),
  });
}

function v03ProtoArtifactToCore({ parts, ...artifact }: JsonObject): JsonObject {
  return compact({ ...artifact, parts: mapArray(parts, v03ProtoPartToCore) });
}

function v03ProtoPartToCore({ text, file, data }: JsonObject): JsonObject {
  if (file !== undefined) {
    const { fileWithBytes, fileWithUri, mimeType } = asObject(file);
    return compact({ raw: fileWithBytes, url: fileWithUri, mediaType: mimeType });
  }
  return data === undefined ? compact({ text }) : { data: asObject(data)['data'] };
}

/** A stream frame or the response of a send: `{task}`, `{message}`, `{statusUpdate}` or `{artifactUpdate}`. */
export function v03ProtoEventToCore(value: unknown): JsonObject {
  const { task, message, statusUpdate, artifactUpdate } = asObject(value);
  if (task !== undefined) {
    return { task: v03ProtoTaskToCore(task) };
  }
  if (message !== undefined) {
    return { message: v03ProtoMessageToCore(message) };
  }
  if (statusUpdate !== undefined) {
    const { final: _final, status, ...update } = asObject(statusUpdate);
    return { statusUpdate: { ...update, status: v03ProtoStatusToCore(status) } };
  }
  const { artifact, ...update } = asObject(artifactUpdate);
  return { artifactUpdate: { ...update, artifact: v03ProtoArtifactToCore(asObject(artifact)) } };
}
