import {
  RESUME_EXTENSION,
  type StreamResponse,
  type Task,
  type TaskState,
  type TaskStatus,
} from '@holdword/protocol';
import type { CommittedEvent } from '@holdword/store';
import type { InternalPayload } from './task-fold.ts';

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

/** A snapshot as a stream frame: complete up to `sequence`, which its metadata says if `includeSequence` is set. */
export function encodeSnapshot(
  task: Task,
  sequence: number,
  includeSequence: boolean,
  marks: object = {},
): string {
  if (!includeSequence) return JSON.stringify({ task });
  const metadata = { ...task.metadata, [RESUME_EXTENSION]: { seq: sequence, ...marks } };
  return JSON.stringify({ task: { ...task, metadata } });
}
