import { A2AError, type ListTasksRequest, type ListTasksResponse, type Task } from '@holdword/protocol';

const DEFAULT_PAGE_SIZE = 50;

/** One page of the matching tasks, newest status first. */
export function listSavedTasks(tasks: readonly Task[], request: ListTasksRequest): ListTasksResponse {
  const { pageSize = DEFAULT_PAGE_SIZE, pageToken } = request;
  const matching = tasks
    .filter((task) => matches(task, request))
    .toSorted((one, other) => compare(positionOf(one), positionOf(other)));
  const after = pageToken === undefined ? undefined : decodePageToken(pageToken);
  const rest =
    after === undefined ? matching : matching.filter((task) => compare(positionOf(task), after) > 0);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    tasks: page.map((task) => shorten(task, request)),
    nextPageToken: last !== undefined && rest.length > page.length ? encodePageToken(positionOf(last)) : '',
    pageSize,
    totalSize: matching.length,
  };
}

function matches({ contextId, status }: Task, request: ListTasksRequest): boolean {
  if (request.contextId !== undefined && contextId !== request.contextId) return false;
  if (request.status !== undefined && status.state !== request.status) return false;
  if (request.statusTimestampAfter === undefined) return true;
  return (
    status.timestamp !== undefined && Date.parse(status.timestamp) >= Date.parse(request.statusTimestampAfter)
  );
}

/** The sort key of a task. */
type Position = readonly [time: number, id: string];

function positionOf({ id, status }: Task): Position {
  return [status.timestamp === undefined ? 0 : Date.parse(status.timestamp), id];
}

/** Newest first, then by id. */
function compare([time, id]: Position, [otherTime, otherId]: Position): number {
  if (time !== otherTime) return otherTime - time;
  return id === otherId ? 0 : id < otherId ? -1 : 1;
}

function encodePageToken(position: Position): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function decodePageToken(token: string): Position {
  try {
    const [time, id]: unknown[] = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (typeof time === 'number' && typeof id === 'string') return [time, id];
  } catch {
    // Reported below.
  }
  throw new A2AError(
    'INVALID_PARAMS',
    'pageToken: expected the nextPageToken of an earlier page, found a different string',
  );
}

function shorten(task: Task, { historyLength, includeArtifacts = false }: ListTasksRequest): Task {
  const { artifacts, history, ...rest } = task;
  const shown = history?.slice(history.length - Math.min(historyLength ?? history.length, history.length));
  return { ...rest, ...(includeArtifacts && artifacts && { artifacts }), ...(shown && { history: shown }) };
}
