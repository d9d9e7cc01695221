import type {
  Artifact,
  JsonObject,
  Message,
  Part,
  StreamResponse,
  Task,
  TaskState,
  TaskStatus,
} from '@parley/protocol';
import { isFinal, isObject, withoutAbsent } from './json-fields.ts';

/** Marks a data part whose value is no object: 0.3 knows objects alone, so it travels inside one. */
export const WRAPPED_DATA = 'data_part_compat';

/** An event as A2A 0.3 writes it in JSON-RPC answers and in notifications: with a `kind`, and states in lower case. */
export function coreStreamResponseToV03(response: StreamResponse): JsonObject {
  if ('task' in response) return coreTaskToV03(response.task);
  if ('message' in response) return coreMessageToV03(response.message);
  if ('statusUpdate' in response) {
    const { statusUpdate } = response;
    return {
      kind: 'status-update',
      ...statusUpdate,
      status: coreStatusToV03(statusUpdate.status),
      final: isFinal(statusUpdate.status.state),
    };
  }
  const { artifactUpdate } = response;
  return { kind: 'artifact-update', ...artifactUpdate, artifact: coreArtifactToV03(artifactUpdate.artifact) };
}

export function coreTaskToV03(task: Task): JsonObject {
  return withoutAbsent({
    kind: 'task',
    id: task.id,
    contextId: task.contextId,
    status: coreStatusToV03(task.status),
    artifacts: task.artifacts?.map(coreArtifactToV03),
    history: task.history?.map(coreMessageToV03),
    metadata: task.metadata,
  });
}

function coreStatusToV03(status: TaskStatus): JsonObject {
  return withoutAbsent({
    state: coreStateToV03(status.state),
    message: status.message && coreMessageToV03(status.message),
    timestamp: status.timestamp,
  });
}

/** `TASK_STATE_INPUT_REQUIRED` is `input-required`. */
function coreStateToV03(state: TaskState): string {
  return state.slice('TASK_STATE_'.length).toLowerCase().replace('_', '-');
}

function coreMessageToV03(message: Message): JsonObject {
  return {
    kind: 'message',
    ...message,
    role: message.role === 'ROLE_USER' ? 'user' : 'agent',
    parts: message.parts.map(corePartToV03),
  };
}

function coreArtifactToV03(artifact: Artifact): JsonObject {
  return { ...artifact, parts: artifact.parts.map(corePartToV03) };
}

function corePartToV03({ text, data, raw, url, mediaType, filename, metadata }: Part): JsonObject {
  if (text !== undefined) return withoutAbsent({ kind: 'text', text, metadata });
  if (isObject(data)) return withoutAbsent({ kind: 'data', data, metadata });
  if (data !== undefined) {
    return { kind: 'data', data: { value: data }, metadata: { ...metadata, [WRAPPED_DATA]: true } };
  }
  const file = withoutAbsent({ bytes: raw, uri: url, mimeType: mediaType, name: filename });
  return withoutAbsent({ kind: 'file', file, metadata });
}
