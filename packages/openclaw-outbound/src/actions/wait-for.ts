import type { TimeLimit } from '@holdword/client';
import { openCall } from '../calls/call.ts';
import { requestTime } from '../calls/request-time.ts';
import { updateReporter } from '../calls/update-reporter.ts';
import { resolveDestination } from '../destinations/resolve-destination.ts';
import type { WaitFor } from '../request/request.ts';
import { branchesOutcome, branchOf, describeBranches, isGood, type Branch } from '../results/branches.ts';
import { callError, isStopped } from '../results/call-error.ts';
import type { Outcome } from '../results/outcome.ts';
import { RemoteAgentError } from '../results/remote-agent-error.ts';
import type { Services } from '../services.ts';
import type { ActionCall } from './action.ts';
import { watchTask } from './watch-task.ts';

/** Follows several tasks until all of them, or one of them, have ended or ask for something. */
export async function waitFor(
  { task_handles: handles, mode = 'all' }: WaitFor,
  action: ActionCall,
  services: Services,
): Promise<Outcome> {
  const { request, signal } = action;
  const enough = new AbortController();
  const stop = signal === undefined ? enough.signal : AbortSignal.any([signal, enough.signal]);
  using limit = requestTime(request, services.config, stop);
  const branches = await Promise.all(
    handles.map(async (handle) => {
      const branch = await branchOf({ task_handle: handle }, watchHandle(handle, action, services, limit));
      if (mode === 'any' && isGood(branch)) enough.abort();
      return branch;
    }),
  );
  if (signal?.aborted === true && isStopped(limit)) throw callError(signal.reason, limit);
  const done = branches.filter(isGood).length;
  if (mode === 'any' ? done > 0 : done === branches.length) return outcomeOf(mode, branches, enough.signal);
  if (limit.isUp) throw waitedTooLong(mode, branches);
  return outcomeOf(mode, branches, enough.signal);
}

/** With one task enough, others that were still running are no failures. */
function outcomeOf(mode: string, branches: readonly Branch[], enough: AbortSignal): Outcome {
  const shown = enough.aborted ? branches.filter(isGood) : branches;
  const running = branches
    .filter((branch) => !shown.includes(branch))
    .map(({ label }) => label['task_handle']);
  return branchesOutcome({ mode, ...(running.length > 0 && { still_running: running }) }, shown);
}

function waitedTooLong(mode: string, branches: readonly Branch[]): RemoteAgentError {
  return new RemoteAgentError('WAIT_TIMEOUT', 'the time was up before the tasks had ended', {
    mode,
    branches: describeBranches(branches),
    suggested_action: 'watch',
    hint: 'Call watch again with the tasks that are still running, or give it more time with timeout_ms.',
  });
}

async function watchHandle(
  handle: string,
  { request, onUpdate }: ActionCall,
  services: Services,
  limit: TimeLimit,
): Promise<Outcome> {
  const { target, taskId = '' } = await resolveDestination(
    { action: 'watch', task_handle: handle },
    services,
  );
  const call = openCall(services, {
    target,
    limit,
    serviceParameters: request.service_parameters,
    onEvent: updateReporter('watch', target, onUpdate),
  });
  return watchTask(call, taskId, services);
}
