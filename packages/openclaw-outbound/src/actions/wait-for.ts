import type { TimeLimit } from '@holdword/client/internal';
import { openRemoteCall } from '../calls/remote-call.ts';
import { requestTime } from '../calls/request-time.ts';
import { updateReporter } from '../calls/update-reporter.ts';
import { resolveDestination } from '../destinations/resolve-destination.ts';
import type { WaitFor } from '../request/request.ts';
import { branchesOutcome, branchOf, describeBranches, succeeded, type Branch } from '../results/branches.ts';
import { callError, isStopped } from '../results/call-error.ts';
import type { Outcome } from '../results/outcome.ts';
import { RemoteAgentError } from '../results/remote-agent-error.ts';
import type { Services } from '../services.ts';
import type { ToolCall } from './action.ts';
import { watchTask } from './watch-task.ts';

/** Follows several tasks until all of them, or one of them, have ended or need input. */
export async function waitFor(
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
  { request, onUpdate }: ToolCall,
  services: Services,
  limit: TimeLimit,
): Promise<Outcome> {
  const { target, taskId = '' } = await resolveDestination(
    { action: 'watch', task_handle: handle },
    services,
  );
  const call = openRemoteCall(services, {
    target,
    limit,
    serviceParameters: request.service_parameters,
    onEvent: updateReporter('watch', target, onUpdate),
  });
  return watchTask(call, taskId, services);
}
