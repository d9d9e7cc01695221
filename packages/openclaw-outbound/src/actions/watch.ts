import { TaskView, type TimeLimit } from '@holdword/client/internal';
import { callError, isStopped, timedOut, withStreamDetails } from '../calls/call-error.ts';
import { EventLog } from '../calls/event-log.ts';
import { follow, recordEvent, replyOf } from '../calls/follow.ts';
import {
  checkTaskId,
  peerOptions,
  type RemoteCall,
  requestTime,
  withFreshCredentials,
} from '../calls/remote-call.ts';
import { RemoteAgentError } from '../remote-agent-error.ts';
import type { WaitFor } from '../request/request.ts';
import { resolveDestination } from '../request/resolve-destination.ts';
import {
  type Branch,
  branchesOutcome,
  branchOf,
  describeBranches,
  type Outcome,
  replyOutcome,
  succeeded,
} from '../results/outcome.ts';
import { openCall, type ActionHandler, type Services, type ToolCall } from './action.ts';
import { followUp } from './follow-up.ts';

/** Follows a task until it ends or needs input; with `wait_for`, several tasks. */
export const watch: ActionHandler = (action, services) => {
  const { wait_for: wanted } = action.request;
  if (wanted !== undefined) return waitFor(wanted, action, services);
  return followUp(action, services, (call, taskId) => watchTask(call, taskId, services));
};

/** Follows a task until it ends or needs input; rejects on timeout. */
async function watchTask(call: RemoteCall, taskId: string, services: Services): Promise<Outcome> {
  const { limits } = services.config;
  const log = new EventLog({ keptCharacters: limits.rawCharacters, allCharacters: limits.streamBytes });
  try {
    const view = await withFreshCredentials(services.connections, call.target, () =>
      begin(call, taskId, log),
    );
    await follow(call, view, log);
    if (!view.isSettled) throw timedOut();
    const { card } = await call.connect(0);
    return await replyOutcome(call.target, replyOf(view, card, log), services);
  } catch (error) {
    throw withStreamDetails(error, log, call.limit);
  }
}

/** Fetches the task; its events are followed from there. */
async function begin(call: RemoteCall, taskId: string, log: EventLog): Promise<TaskView> {
  const { peer } = await call.connect(0);
  const task = await peer.get({ id: taskId }, peerOptions(call));
  checkTaskId(task.id, taskId);
  recordEvent(call, taskId, log, { task });
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
  const branches = await Promise.all(
    handles.map(async (handle) => {
      const branch = await branchOf({ task_handle: handle }, watchHandle(handle, action, services, limit));
      if (mode === 'any' && succeeded(branch)) firstDone.abort();
      return branch;
    }),
  );
  if (signal?.aborted === true && isStopped(limit)) throw callError(signal.reason, limit);
  const done = branches.filter(succeeded).length;
  if (mode === 'any' ? done > 0 : done === branches.length)
    return outcomeOf(mode, branches, firstDone.signal);
  if (limit.isExpired) throw waitTimeout(mode, branches);
  return outcomeOf(mode, branches, firstDone.signal);
}

/** In mode `any`, tasks that are still running are not failures. */
function outcomeOf(mode: string, branches: readonly Branch[], firstDone: AbortSignal): Outcome {
  const shown = firstDone.aborted ? branches.filter(succeeded) : branches;
  const running = branches
    .filter((branch) => !shown.includes(branch))
    .map(({ label }) => label['task_handle']);
  return branchesOutcome({ mode, ...(running.length > 0 && { still_running: running }) }, shown);
}

function waitTimeout(mode: string, branches: readonly Branch[]): RemoteAgentError {
  return new RemoteAgentError('WAIT_TIMEOUT', 'timed out waiting for the tasks', {
    mode,
    branches: describeBranches(branches),
    suggested_action: 'watch',
    hint: 'Call watch again for the tasks that are still running, or raise timeout_ms.',
  });
}

async function watchHandle(
  handle: string,
  action: ToolCall,
  services: Services,
  limit: TimeLimit,
): Promise<Outcome> {
  const { target, taskId = '' } = await resolveDestination(
    { action: 'watch', task_handle: handle },
    services,
  );
  return watchTask(openCall(action, target, limit, services), taskId, services);
}
