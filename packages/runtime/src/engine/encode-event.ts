import {
  RESUME_EXTENSION,
  type JsonObject,
  type Message,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskStatusUpdateEvent,
} from '@holdword/protocol';

/** What a journal contains. A message without a task has no journal. */
export type JournalEvent = Exclude<StreamResponse, { message: Message }>;

export interface EncodedEvent {
  /** The event as it is stored in the journal and sent to clients. */
  readonly json: string;
  /** The status of a status update, which its commit needs separately. */
  readonly statusJson?: string;
}

const STAMP = JSON.stringify(RESUME_EXTENSION);

/**
 * Encodes an event as JSON, with its sequence number in its metadata, where a client that resumes finds its cursor.
 * Built from its fields, because a commit also needs the status by itself, and because the number must not end up in
 * the agent's objects.
 */
export function encodeEvent(event: JournalEvent, sequence: number | undefined): EncodedEvent {
  if ('statusUpdate' in event) return encodeStatusUpdate(event.statusUpdate, sequence);
  if ('artifactUpdate' in event) return { json: encodeArtifactUpdate(event.artifactUpdate, sequence) };
  return {
    json: `{"task":${encodeTask(event.task).slice(0, -1)}${metadataField(event.task.metadata, sequence)}}}`,
  };
}

/** Without its metadata. */
function encodeTask(task: Task): string {
  if (task.metadata === undefined) return JSON.stringify(task);
  const { metadata: _, ...others } = task;
  return JSON.stringify(others);
}

function encodeStatusUpdate(update: TaskStatusUpdateEvent, sequence: number | undefined): EncodedEvent {
  const statusJson = JSON.stringify(update.status);
  const json =
    `{"statusUpdate":{${taskFields(update)},"status":${statusJson}` +
    `${metadataField(update.metadata, sequence)}}}`;
  return { json, statusJson };
}

function encodeArtifactUpdate(update: TaskArtifactUpdateEvent, sequence: number | undefined): string {
  return (
    `{"artifactUpdate":{${taskFields(update)},"artifact":${JSON.stringify(update.artifact)}` +
    `${update.append === true ? ',"append":true' : ''}${update.lastChunk === true ? ',"lastChunk":true' : ''}` +
    `${metadataField(update.metadata, sequence)}}}`
  );
}

let lastNamed = { taskId: '', contextId: '', fields: '' };

/** A turn writes several events of one task in a row. */
function taskFields({ taskId, contextId }: { taskId: string; contextId: string }): string {
  if (taskId !== lastNamed.taskId || contextId !== lastNamed.contextId) {
    const fields = `"taskId":${JSON.stringify(taskId)},"contextId":${JSON.stringify(contextId)}`;
    lastNamed = { taskId, contextId, fields };
  }
  return lastNamed.fields;
}

function metadataField(metadata: JsonObject | undefined, sequence: number | undefined): string {
  if (sequence === undefined) return metadata === undefined ? '' : `,"metadata":${JSON.stringify(metadata)}`;
  if (metadata === undefined) return `,"metadata":{${STAMP}:{"seq":${sequence}}}`;
  return `,"metadata":${JSON.stringify({ ...metadata, [RESUME_EXTENSION]: { seq: sequence } })}`;
}
