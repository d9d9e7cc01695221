import { asObject, type JsonObject } from '../model/json.ts';
import { mapEach, withoutAbsent } from './json-fields.ts';
import { v03PartToCore } from './v03-part-to-core.ts';

/*
 * Converts the JSON-RPC responses of an A2A 0.3 agent to 1.0 JSON. The result is not validated: invalid values stay invalid.
 */

/** The response of a send, or a stream frame, identified by its `kind`. */
export function v03EventToCore(value: unknown): JsonObject {
  const event = asObject(value);
  const { kind, final: _final, ...fields } = event;
  switch (kind) {
    case 'message':
      return { message: v03MessageToCore(event) };
    case 'status-update':
      return { statusUpdate: { ...fields, status: v03StatusToCore(event['status']) } };
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
