import {
  A2AError,
  isTerminal,
  RESUME_EXTENSION,
  type StreamResponse,
  type SubscribeToTaskRequest,
  type Task,
  type TaskStatus,
} from '@holdword/protocol';
import type { TaskHeader } from '@holdword/store';
import type { Engine } from '../engine/engine.ts';
import { snapshotOf, statusOf } from '../engine/event-codec.ts';
import { taskFrame } from './large-answers.ts';
import { framesFirst, type EventStream, type RequestContext, type StreamFrame } from './operations.ts';
import { taskNotFound, visibleTask } from './tasks.ts';

/**
 * Follows a task until it ends: first the task in its current state, then its events. A client that reconnects with a
 * cursor gets exactly the events it missed; one that declares the resume extension gets them even after the task has
 * ended.
 */
export async function subscribeToTask(
  engine: Engine,
  request: SubscribeToTaskRequest,
  context: RequestContext,
): Promise<EventStream> {
  const header = await visibleTask(engine, request.id, context);
  if (isTerminal(header.state) && !context.extensions.has(RESUME_EXTENSION)) throw endedTask(header);
  if (context.resumeAfter === undefined) return fromNow(engine, header, context);
  return fromCursor(engine, header, context.resumeAfter, context);
}

async function fromNow(engine: Engine, header: TaskHeader, context: RequestContext): Promise<EventStream> {
  const { frame, ended } = await snapshotFrame(engine, header.taskId, context);
  if (ended) return framesFirst([frame]);
  return framesFirst(
    [frame],
    engine.reader.follow(header.taskId, frame.sequence, isTerminal, context.signal),
  );
}

async function fromCursor(
  engine: Engine,
  header: TaskHeader,
  cursor: number,
  context: RequestContext,
): Promise<EventStream> {
  if (cursor > header.lastSequence) throw unknownCursor(cursor, header.lastSequence);
  if (cursor < header.firstSequence - 1) return afterGap(engine, header, cursor, context);
  const missed = isTerminal(header.state)
    ? engine.reader.replay(header.taskId, cursor, header.lastSequence, context.signal)
    : engine.reader.follow(header.taskId, cursor, isTerminal, context.signal);
  // The first event of a journal is the task itself.
  return cursor === 0 ? missed : framesFirst([await taskAtCursor(engine, header, cursor)], missed);
}

/** Retention removed events that the client has not seen: it gets a gap marker and the whole task instead. */
async function afterGap(
  engine: Engine,
  header: TaskHeader,
  cursor: number,
  context: RequestContext,
): Promise<EventStream> {
  const gap = { from: cursor + 1, to: header.firstSequence - 1 };
  const { frame, ended } = await snapshotFrame(engine, header.taskId, context, { gap });
  if (ended) return framesFirst([frame]);
  return framesFirst(
    [frame],
    engine.reader.follow(header.taskId, frame.sequence, isTerminal, context.signal),
  );
}

async function snapshotFrame(
  engine: Engine,
  taskId: string,
  context: RequestContext,
  marks?: object,
): Promise<{ frame: StreamFrame & { sequence: number }; ended: boolean }> {
  const current = await engine.reader.current(taskId);
  if (current === undefined) throw taskNotFound(taskId);
  const frame = await taskFrame(engine, context, current, marks);
  return { frame, ended: isTerminal(current.task.status.state) };
}

/**
 * The task as of the cursor, without the artifacts and the history that the client already has: resuming costs what was
 * missed, not what the task has grown to.
 */
async function taskAtCursor(engine: Engine, header: TaskHeader, cursor: number): Promise<StreamFrame> {
  const event = await engine.store.readStatusEvent(header.taskId, cursor);
  const status = event === undefined ? (JSON.parse(header.status) as TaskStatus) : statusIn(event.json);
  const task: Task = { id: header.taskId, contextId: header.contextId, status };
  return { json: JSON.stringify(snapshotOf(task, cursor, true, { partial: true })), sequence: cursor };
}

function statusIn(json: string): TaskStatus {
  const status = statusOf(JSON.parse(json) as StreamResponse);
  if (status !== undefined) return status;
  throw new A2AError('INTERNAL', 'An event that should have a status has none.');
}

function endedTask(header: TaskHeader): A2AError {
  return new A2AError(
    'UNSUPPORTED_OPERATION',
    `Task ${header.taskId} has ended (${header.state}), so there is nothing to subscribe to. Get the task, ` +
      `or declare the extension ${RESUME_EXTENSION} to replay its events.`,
  );
}

function unknownCursor(cursor: number, last: number): A2AError {
  return new A2AError('INVALID_PARAMS', `The cursor ${cursor} is beyond the task's last event (${last}).`, {
    fields: [{ field: 'Last-Event-ID', description: `expected 0 to ${last}, found ${cursor}` }],
  });
}
