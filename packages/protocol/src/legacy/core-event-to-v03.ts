import type { Artifact } from '../model/artifact.ts';
import type { Message } from '../model/message.ts';
import type { Part } from '../model/part.ts';
import type { StreamResponse } from '../model/stream-response.ts';
import type { TaskState } from '../model/task-state.ts';
import type { Task, TaskStatus } from '../model/task.ts';
import { isObject } from '../model/json.ts';
import { isFinal } from './json-fields.ts';
import type {
  V03Artifact,
  V03Event,
  V03Message,
  V03Part,
  V03Task,
  V03TaskState,
  V03TaskStatus,
} from './v03-types.ts';

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
