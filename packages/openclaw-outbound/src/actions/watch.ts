import { TaskView, type TimeLimit } from '@holdword/client/internal';
import { isA2AError } from '@holdword/protocol';
import type { WaitFor } from '../contract.ts';
import { callError, isStopped, TASK_GONE, timedOut, withStreamDetails } from '../calls/call-error.ts';
import { EventLog } from '../calls/event-log.ts';
import { follow, recordEvent } from '../calls/follow.ts';
import {
  checkTaskId,
  peerOptions,
  type RemoteCall,
  requestTime,
  withFreshCredentials,
} from '../calls/remote-call.ts';
import { replyFrom } from '../calls/reply.ts';
import { RemoteAgentError } from '../remote-agent-error.ts';
import { continueFrom } from '../request/continuation.ts';
import { resolveTask, type TaskDestination } from '../request/resolve-destination.ts';
import {
  type Branch,
  branchesOutcome,
  branchOf,
  describeBranches,
  knownTask,
  type Outcome,
  replyOutcome,
  type ReplyOutcome,
  succeeded,
} from '../results/outcome.ts';
import { taskKey } from '../state/task-handles.ts';
import { openCall, type ActionHandler, type Services, type ToolCall } from './action.ts';
import { followUp } from './follow-up.ts';

/** Follows a task until it ends or needs input; with `wait_for`, several tasks. */
export const watch: ActionHandler = (action, services) => {
  const { wait_for: wanted } = action.request;
  if (wanted !== undefined) return waitFor(wanted, action, services);
  return followUp(action, services, (call, destination) => watchTask(call, destination, services));
};

/** Follows a task until it ends or needs input; rejects on timeout. */
async function watchTask(
  call: RemoteCall,
  destination: TaskDestination,
  services: Services,
): Promise<ReplyOutcome> {
  const { limits } = services.config;
  const log = new EventLog({ keptCharacters: limits.rawCharacters, allCharacters: limits.streamBytes });
  let view: TaskView | undefined;
  try {
    view = await withFreshCredentials(services.connections, call.target, () =>
      begin(call, destination.taskId, log),
    );
    await follow(call, view, log);
    if (!view.isSettled) throw timedOut();
    const connection = await call.connect(0);
    return await replyOutcome(destination, replyFrom(connection, { task: view.toTask() }, { log }), services);
  } catch (error) {
    const known = withStreamDetails(error, log, call.limit);
    const isLate = call.limit.isExpired && !isStopped(call.limit);
    const isGone = isA2AError(error) && error.code === 'TASK_NOT_FOUND';
    if (view === undefined || !(isLate || isGone) || !(known instanceof RemoteAgentError)) throw known;
    const advice = isLate ? STILL_RUNNING : { suggested_action: 'status', hint: TASK_GONE };
    throw known.with({ ...advice, ...(await taskDetails(view, destination, services)) });
  }
}

const STILL_RUNNING = {
  suggested_action: 'watch',
  hint: 'The task is still running. Call watch again, with a larger timeout_ms if you can wait, or status later.',
};

/** What the next call about the task needs. */
async function taskDetails(
  view: TaskView,
  destination: TaskDestination,
  services: Services,
): Promise<Record<string, unknown>> {
  const continuation = await continueFrom(
    destination.target,
    knownTask({ task: view.toTask() }, destination),
    services,
  );
  return { task_id: view.id, task_handle: continuation?.task?.task_handle, continuation };
}

/** Fetches the task; its events are followed from there. */
async function begin(call: RemoteCall, taskId: string, log: EventLog): Promise<TaskView> {
  const { peer } = await call.connect(0);
  const task = await peer.get({ id: taskId }, peerOptions(call));
  checkTaskId(task.id, taskId);
  recordEvent(call, log, { task });
  return new TaskView(task);
}

/** Follows several tasks until all of them, or one of them, have ended or need input. */
async function waitFor(
  { task_handles: handles, mode = 'all' }: WaitFor,
  action: ToolCall,
  services: Services,
): Promise<Outcome> {
  const { request, signal } = action;
  const firstDone = new AbortController();
  const stopSignal = signal === undefined ? firstDone.signal : AbortSignal.any([signal, firstDone.signal]);
  using limit = requestTime(request, services.config, stopSignal);
  const unfinished = new Set<Branch>();
  const branches = await Promise.all(
    handles.map(async (handle) => {
      const branch = await branchOf({ task_handle: handle }, watchHandle(handle, action, services, limit));
      if (!succeeded(branch) && firstDone.signal.aborted) unfinished.add(branch);
      if (mode === 'any' && succeeded(branch)) firstDone.abort();
      return branch;
    }),
  );
  if (signal?.aborted === true && isStopped(limit)) throw callError(signal.reason, limit);
  const done = branches.filter(succeeded).length;
  const isDone = mode === 'any' ? done > 0 : done === branches.length;
  if (!isDone && limit.isExpired) throw waitTimeout(mode, branches);
  if (done === 0) throw noneWatched(branches);
  // In mode `any`, tasks that are still running are not failures.
  const running = [...unfinished].flatMap(({ label }) => label.task_handle ?? []);
  return branchesOutcome(
    { mode, ...(running.length > 0 && { still_running: running }) },
    branches.filter((branch) => !unfinished.has(branch)),
  );
}

function waitTimeout(mode: string, branches: readonly Branch[]): RemoteAgentError {
  return new RemoteAgentError('WAIT_TIMEOUT', 'timed out waiting for the tasks', {
    mode,
    branches: describeBranches(branches),
    suggested_action: 'watch',
    hint: 'Call watch again for the tasks that are still running, or raise timeout_ms.',
  });
}

/** One task that failed is a branch; if all failed, the call failed. */
function noneWatched(branches: readonly Branch[]): RemoteAgentError {
  const described = describeBranches(branches);
  const codes = new Set(described.flatMap((branch) => (branch.ok ? [] : branch.error.code)));
  const [code = 'A2A_SDK_ERROR'] = codes;
  return new RemoteAgentError(
    codes.size === 1 ? code : 'A2A_SDK_ERROR',
    `none of the ${branches.length} tasks could be watched`,
    {
      branches: described,
      suggested_action: 'status',
      hint: 'Each branch says what is wrong with its task.',
    },
  );
}

async function watchHandle(
  handle: string,
  action: ToolCall,
  services: Services,
  limit: TimeLimit,
): Promise<ReplyOutcome> {
  const destination = await resolveTask({ action: 'watch', task_handle: handle }, services);
  await services.messageIds.settleTask(taskKey({ address: destination.target, taskId: destination.taskId }));
  return watchTask(openCall(action, destination.target, limit, services), destination, services);
}
