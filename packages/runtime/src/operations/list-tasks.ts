import type { ListTasksRequest, ListTasksResponse, Task, TaskStatus } from '@holdword/protocol';
import type { TaskHeader, TaskQuery } from '@holdword/store';
import type { Engine } from '../engine/engine.ts';
import { ownerKey } from '../owner.ts';
import type { RequestContext } from './request-context.ts';
import { decodePageToken, encodePageToken } from './page-token.ts';

const DEFAULT_PAGE_SIZE = 50;

/**
 * The caller's tasks, newest status first. A page is read from the store's index. Journals are read only for history
 * and artifacts, if those are requested.
 */
export async function listTasks(
  engine: Engine,
  request: ListTasksRequest,
  context: RequestContext,
): Promise<ListTasksResponse> {
  const pageSize = request.pageSize ?? DEFAULT_PAGE_SIZE;
  const page = await engine.store.listTasks(queryOf(request, pageSize, context));
  const tasks = await Promise.all(page.tasks.map((header) => taskOf(engine, header, request)));
  return {
    tasks,
    nextPageToken: page.nextCursor === undefined ? '' : encodePageToken(page.nextCursor),
    pageSize,
    totalSize: page.totalSize,
  };
}

function queryOf(request: ListTasksRequest, limit: number, context: RequestContext): TaskQuery {
  const query: TaskQuery = { owner: ownerKey(context.owner), limit };
  if (request.contextId) query.contextId = request.contextId;
  if (request.status !== undefined) query.state = request.status;
  if (request.statusTimestampAfter !== undefined)
    query.statusTimeFrom = Date.parse(request.statusTimestampAfter);
  if (request.pageToken) query.cursor = decodePageToken(request.pageToken);
  return query;
}

async function taskOf(engine: Engine, header: TaskHeader, request: ListTasksRequest): Promise<Task> {
  const { historyLength = 0, includeArtifacts = false } = request;
  const listed: Task = {
    id: header.taskId,
    contextId: header.contextId,
    status: JSON.parse(header.status) as TaskStatus,
  };
  if (historyLength === 0 && !includeArtifacts) return listed;
  const current = await engine.reader.current(header.taskId, historyLength, header.lastSequence);
  if (current === undefined) return listed;
  if (historyLength > 0 && current.task.history !== undefined) listed.history = current.task.history;
  if (includeArtifacts) listed.artifacts = current.task.artifacts ?? [];
  return listed;
}
