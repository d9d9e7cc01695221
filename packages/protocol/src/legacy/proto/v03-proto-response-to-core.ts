import { asObject, type JsonObject } from '../../model/json.ts';
import { mapEach, withoutAbsent } from '../json-fields.ts';
import { v03ProtoPartToCore } from './v03-proto-part-to-core.ts';

/*
 * Converts the REST responses of an A2A 0.3 agent, which are the ProtoJSON of its package `a2a.v1`, to 1.0 JSON. The result is
 * not validated.
 */

/** The response of a send, or a stream frame. */
export function v03ProtoEventToCore(value: unknown): JsonObject {
  const { task, message, statusUpdate, artifactUpdate } = asObject(value);
  if (task !== undefined) return { task: v03ProtoTaskToCore(task) };
  if (message !== undefined) return { message: v03ProtoMessageToCore(message) };
  if (statusUpdate !== undefined) {
    const { final: _final, status, ...update } = asObject(statusUpdate);
    return { statusUpdate: { ...update, status: v03ProtoStatusToCore(status) } };
  }
  const { artifact, ...update } = asObject(artifactUpdate);
  return { artifactUpdate: { ...update, artifact: v03ProtoArtifactToCore(artifact) } };
}

export function v03ProtoTaskToCore(value: unknown): JsonObject {
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
    // The proto of 0.3 spells it with two Ls.
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
