import {
  type JsonObject,
  type Message,
  type ProtocolVersion,
  RESUME_EXTENSION,
  type SendMessageConfiguration,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskState,
  type TaskStatus,
  type TaskStatusUpdateEvent,
} from '@holdword/protocol';
import type { CommittedEvent } from '@holdword/store';
import { TerminalError } from '../executors/executor-errors.ts';
import type { TraceContext } from '../observe/tracing.ts';

/** What a journal contains. A message without a task has no journal. */
export type JournalEvent = Exclude<StreamResponse, { message: Message }>;

/** What an entry tells the fold in addition to its event. Never sent to clients. */
export interface InternalPayload {
  /** The user's message that started a follow-up turn of the task. */
  input?: Message;
  /** What came with the message, for a turn that a later process has to run. */
  request?: TurnRequest;
  /** How far the executor is with the turn. */
  checkpoint?: JsonObject;
  /** A process took the task over with this event, because the one that ran it was gone. For operators. */
  takeover?: Takeover;
}

/** Who took a task over, and what became of its turn. */
export interface Takeover {
  /** The process, as the store identifies it. */
  process: string;
  /** The turn was resumed, had not begun and was started, or could not be resumed and was ended. */
  how: 'resumed' | 'started-again' | 'interrupted';
}

/** What a send request contains in addition to its message, and how far its turn is. */
export interface TurnRequest {
  checkpoint?: JsonObject | undefined;
  configuration?: SendMessageConfiguration | undefined;
  metadata?: JsonObject | undefined;
  trace?: TraceContext | undefined;
}

export interface EncodedEvent {
  /** The event as it is stored in the journal and sent to clients. */
  readonly json: string;
  /** The status of a status update, which its commit needs separately. */
  readonly statusJson?: string;
}

const RESUME_KEY = JSON.stringify(RESUME_EXTENSION);

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

function taskFields({ taskId, contextId }: { taskId: string; contextId: string }): string {
  return `"taskId":${JSON.stringify(taskId)},"contextId":${JSON.stringify(contextId)}`;
}

function metadataField(metadata: JsonObject | undefined, sequence: number | undefined): string {
  if (sequence === undefined) return metadata === undefined ? '' : `,"metadata":${JSON.stringify(metadata)}`;
  if (metadata === undefined) return `,"metadata":{${RESUME_KEY}:{"seq":${sequence}}}`;
  return `,"metadata":${JSON.stringify({ ...metadata, [RESUME_EXTENSION]: { seq: sequence } })}`;
}

/** An agent wrote an event that is too large. */
export class EventTooLarge extends TerminalError {}

/** The events of a task would exceed its size limit. */
export class TaskTooLarge extends TerminalError {
  constructor(mostBytes: number) {
    super(
      `The task reached its size limit of ${mostBytes} bytes. What was written before is kept. ` +
        'Ask for less at a time, or ask the operator to raise limits.taskBytes (maxTaskBytes).',
    );
  }
}

/** Rejects the JSON of an event that is too large to be stored and sent as one. */
export function checkEventSize(json: string, mostBytes: number): void {
  // A character takes three bytes at most, so most events need not be measured.
  if (json.length * 3 <= mostBytes) return;
  const bytes = Buffer.byteLength(json);
  if (bytes <= mostBytes) return;
  throw new EventTooLarge(
    `The agent wrote an event of ${bytes} bytes; at most ${mostBytes} are allowed. ` +
      'Write large artifacts in chunks, with append, or as a url part.',
  );
}

export function parseEvent(event: CommittedEvent): {
  event: StreamResponse;
  internal: InternalPayload | undefined;
} {
  return {
    event: JSON.parse(event.json) as StreamResponse,
    internal: event.internal === undefined ? undefined : (JSON.parse(event.internal) as InternalPayload),
  };
}

/** The state of an encoded event, if it has one. Artifact events, by far the most frequent, are not parsed. */
export function stateOfEncoded(json: string): TaskState | undefined {
  if (json.startsWith('{"artifactUpdate"')) return undefined;
  return stateOf(JSON.parse(json) as StreamResponse);
}

export function stateOf(event: StreamResponse): TaskState | undefined {
  return statusOf(event)?.state;
}

/** The status of an event, if it has one. */
export function statusOf(event: StreamResponse): TaskStatus | undefined {
  if ('statusUpdate' in event) return event.statusUpdate.status;
  if ('task' in event) return event.task.status;
  return undefined;
}

/**
 * The task, with its generation for callers of A2A 1.1: the number of its last event, which is what the journal counts (J2).
 * Callers of other versions see no difference.
 */
export function numberedTask(task: Task, sequence: number, version: ProtocolVersion | undefined): Task {
  if (version === '1.1') task.generation = String(sequence);
  return task;
}

/** A snapshot as an event: complete up to `sequence`, which its metadata says if `includeSequence` is set. */
export function snapshotOf(
  task: Task,
  sequence: number,
  includeSequence: boolean,
  marks: object = {},
): { task: Task } {
  if (!includeSequence) return { task };
  const metadata = { ...task.metadata, [RESUME_EXTENSION]: { seq: sequence, ...marks } };
  return { task: { ...task, metadata } };
}

/** What the journal keeps of a request. Undefined if there is nothing to keep. */
export function requestOf(input: {
  configuration: SendMessageConfiguration;
  metadata: JsonObject;
  trace?: TraceContext | undefined;
}): { request: TurnRequest } | undefined {
  const request: TurnRequest = {};
  if (Object.keys(input.configuration).length > 0) request.configuration = input.configuration;
  if (Object.keys(input.metadata).length > 0) request.metadata = input.metadata;
  if (input.trace !== undefined) request.trace = input.trace;
  return Object.keys(request).length > 0 ? { request } : undefined;
}
