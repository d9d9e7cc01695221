import {
  A2AError,
  type CancelTaskRequest,
  type GetTaskRequest,
  type ListTasksRequest,
  type ListTasksResponse,
  type Task,
  type TaskStatus,
} from '@holdword/protocol';
import { charactersOf, isLazy } from '@holdword/protocol/internal';
import type { PageCursor, TaskHeader, TaskQuery } from '@holdword/store';
import { afterOtherWork } from '../after-other-work.ts';
import type { Engine } from '../engine/engine.ts';
import { numberedTask } from '../engine/event-codec.ts';
import { ownerKey } from '../owner.ts';
import type { RequestContext } from './operations.ts';

/*
 * Reading, listing and canceling tasks. Another owner's task is reported like one that does not exist (J9).
 */

export const taskOperations = { getTask, listTasks, cancelTask };

/**
 * The task with its artifacts and history: all of it, or the newest `historyLength` messages. A caller of A2A 1.1 may wait
 * until the task is beyond a generation that it knows, for as long as its signal allows.
 */
async function getTask(engine: Engine, request: GetTaskRequest, context: RequestContext): Promise<Task> {
  const { version } = context;
  const header = await visibleTask(engine, request.id, context);
  const { currentGeneration } = request;
  const waits = version === '1.1' && currentGeneration !== undefined;
  if (waits) await engine.reader.movedBeyond(header, currentGeneration, context.signal);
  // After waiting, the header is older than what was waited for.
  const enough = waits ? undefined : header.lastSequence;
  const current = await engine.reader.current(header.taskId, request.historyLength, enough);
  if (current === undefined) throw taskNotFound(request.id);
  return numberedTask(current.task, current.sequence, version);
}

async function cancelTask(
  engine: Engine,
  request: CancelTaskRequest,
  context: RequestContext,
): Promise<Task> {
  const { task, sequence } = await engine.cancel(await visibleTask(engine, request.id, context));
  return numberedTask(task, sequence, context.version);
}

const DEFAULT_PAGE_SIZE = 50;

/** A page ends with the task that makes it larger than this, even if more were requested. */
const PAGE_CHARACTERS = 4 * 1024 * 1024;
/** Headers are read from the store in small steps as long as their statuses are long. */
const HEADERS_AT_ONCE = 10;
const LIGHT_CHARACTERS = 64 * 1024;
const STATUSES_AT_ONCE = 256 * 1024;

/**
 * The caller's tasks, newest status first. A page is read from the store's index. Journals are read only for history
 * and artifacts, if those are requested, one task after the other: other work of the process runs in between.
 */
async function listTasks(
  engine: Engine,
  request: ListTasksRequest,
  context: RequestContext,
): Promise<ListTasksResponse> {
  const pageSize = request.pageSize ?? DEFAULT_PAGE_SIZE;
  const query = queryOf(request, pageSize, context);
  const tasks: Task[] = [];
  let characters = 0;
  for (;;) {
    const isLight = tasks.length > 0 && characters < LIGHT_CHARACTERS;
    query.limit = Math.min(pageSize - tasks.length, isLight ? Infinity : HEADERS_AT_ONCE);
    const { tasks: headers, cursors, nextCursor, totalSize } = await engine.store.listTasks(query);
    for (const [index, header] of headers.entries()) {
      const task = await taskOf(engine, header, request, context);
      tasks.push(task);
      characters += isLazy(task) ? PAGE_CHARACTERS : charactersOf(task);
      const isLast = index === headers.length - 1 && nextCursor === undefined;
      if (isLast || (characters < PAGE_CHARACTERS && tasks.length < pageSize)) continue;
      return { tasks, nextPageToken: encodePageToken(cursors[index] as PageCursor), pageSize, totalSize };
    }
    if (nextCursor === undefined) return { tasks, nextPageToken: '', pageSize, totalSize };
    query.cursor = nextCursor;
  }
}

function queryOf(request: ListTasksRequest, limit: number, context: RequestContext): TaskQuery {
  const query: TaskQuery = { owner: ownerKey(context.owner), limit, enoughCharacters: STATUSES_AT_ONCE };
  if (request.contextId) query.contextId = request.contextId;
  if (request.status !== undefined) query.state = request.status;
  if (request.statusTimestampAfter !== undefined)
    query.statusTimeFrom = Date.parse(request.statusTimestampAfter);
  if (request.pageToken) query.cursor = decodePageToken(request.pageToken);
  return query;
}

async function taskOf(
  engine: Engine,
  header: TaskHeader,
  request: ListTasksRequest,
  { version }: RequestContext,
): Promise<Task> {
  const { historyLength = 0, includeArtifacts = false } = request;
  const { taskId: id, contextId, lastSequence } = header;
  const current =
    historyLength === 0 && !includeArtifacts ? undefined : await contentOf(engine, header, historyLength);
  // The task may have moved on since the header was read, and its generation is that of all it has. Statuses can be long, so
  // that of the header is read only if it is another one.
  const isCurrent = current !== undefined && (version === '1.1' || current.sequence === lastSequence);
  const status = isCurrent ? current.task.status : (JSON.parse(header.status) as TaskStatus);
  const listed: Task = { id, contextId, status };
  if (historyLength > 0 && current?.task.history !== undefined) listed.history = current.task.history;
  if (includeArtifacts && current !== undefined) listed.artifacts = current.task.artifacts ?? [];
  return numberedTask(listed, current?.sequence ?? lastSequence, version);
}

async function contentOf(engine: Engine, { taskId, lastSequence }: TaskHeader, historyLength: number) {
  await afterOtherWork();
  return engine.reader.current(taskId, historyLength, lastSequence);
}

/** Page tokens are opaque to clients. Their content is validated like any other input. */
export function encodePageToken(cursor: PageCursor): string {
  return Buffer.from(JSON.stringify([cursor.statusTime, cursor.tieBreak])).toString('base64url');
}

export function decodePageToken(token: string): PageCursor {
  const [statusTime, tieBreak] = parseNumbers(token);
  if (Number.isSafeInteger(statusTime) && Number.isSafeInteger(tieBreak)) {
    return { statusTime: statusTime as number, tieBreak: tieBreak as number };
  }
  throw new A2AError(
    'INVALID_PARAMS',
    'The page token is not one of this server. Start again without pageToken.',
    {
      fields: [{ field: 'pageToken', description: 'expected a nextPageToken of an earlier response' }],
    },
  );
}

function parseNumbers(token: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** The task's header, if it belongs to the caller (J9). */
export async function visibleTask(
  engine: Engine,
  taskId: string,
  context: RequestContext,
): Promise<TaskHeader> {
  const header = await engine.reader.header(ownerKey(context.owner), taskId);
  if (header === undefined) throw taskNotFound(taskId);
  return header;
}

export function taskNotFound(taskId: string): A2AError {
  return new A2AError(
    'TASK_NOT_FOUND',
    `Task ${taskId} not found for this caller. Check the id, or send a message without taskId to start a new task.`,
  );
}
