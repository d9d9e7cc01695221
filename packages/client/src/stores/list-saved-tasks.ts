import { A2AError, type ListTasksRequest, type ListTasksResponse, type Task } from '@holdword/protocol';

const DEFAULT_PAGE_SIZE = 50;

/** One page of the tasks that match, the newest status first. */
export function listSavedTasks(tasks: readonly Task[], request: ListTasksRequest): ListTasksResponse {
  const { pageSize = DEFAULT_PAGE_SIZE, pageToken } = request;
  const matching = tasks
    .filter((task) => matches(task, request))
    .toSorted((one, other) => compare(placeOf(one), placeOf(other)));
  const after = pageToken === undefined ? undefined : decodePageToken(pageToken);
  const rest = after === undefined ? matching : matching.filter((task) => compare(placeOf(task), after) > 0);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    tasks: page.map((task) => shorten(task, request)),
    nextPageToken: last !== undefined && rest.length > page.length ? encodePageToken(placeOf(last)) : '',
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

/** Where a task stands in the list. */
type Place = readonly [time: number, id: string];

function placeOf({ id, status }: Task): Place {
  return [status.timestamp === undefined ? 0 : Date.parse(status.timestamp), id];
}

/** Newest first, then by id. */
function compare([time, id]: Place, [otherTime, otherId]: Place): number {
  if (time !== otherTime) return otherTime - time;
  return id === otherId ? 0 : id < otherId ? -1 : 1;
}

function encodePageToken(place: Place): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function decodePageToken(token: string): Place {
  try {
    const [time, id]: unknown[] = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (typeof time === 'number' && typeof id === 'string') return [time, id];
  } catch {
    // Told below, as for any other text that is no token.
  }
  throw new A2AError(
    'INVALID_PARAMS',
    'pageToken: expected the nextPageToken of an earlier page, found another text',
  );
}

function shorten(task: Task, { historyLength, includeArtifacts = false }: ListTasksRequest): Task {
  const { artifacts, history, ...rest } = task;
  const shown = history?.slice(history.length - Math.min(historyLength ?? history.length, history.length));
  return { ...rest, ...(includeArtifacts && artifacts && { artifacts }), ...(shown && { history: shown }) };
}
