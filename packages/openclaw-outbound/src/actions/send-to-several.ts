import { branchesOutcome, branchOf, describeBranches, succeeded, type Branch } from '../results/branches.ts';
import type { Outcome } from '../results/outcome.ts';
import { RemoteAgentError } from '../results/remote-agent-error.ts';
import type { Services } from '../services.ts';
import type { ToolCall } from './action.ts';
import { sendToOne } from './send-to-one.ts';

/**
 * Sends one message to several agents in parallel; each branch has its own continuation. With `collect: first` the first
 * successful answer aborts the other branches and cancels their tasks if they are known.
 */
export async function sendToSeveral(
  aliases: readonly string[],
  { request, signal, ...action }: ToolCall,
  services: Services,
): Promise<Outcome> {
  const { target_aliases: _aliases, collect = 'all', ...shared } = request;
  const branches = aliases.map((alias) => {
    const abort = new AbortController();
    const branchSignal = signal === undefined ? abort.signal : AbortSignal.any([signal, abort.signal]);
    const branchCall = { ...action, signal: branchSignal, request: { ...shared, target_alias: alias } };
    return { abort, done: branchOf({ target_alias: alias }, sendToOne(branchCall, services)) };
  });
  let first: Branch | undefined;
  const all = await Promise.all(
    branches.map(async ({ done }) => {
      const branch = await done;
      if (collect === 'first' && first === undefined && succeeded(branch)) {
        first = branch;
        for (const other of branches) if (other.done !== done) other.abort.abort();
      }
      return branch;
    }),
  );
  const shown = first === undefined ? all : [first];
  if (!shown.some(succeeded)) throw allFailed(all);
  const stopped = all.filter((branch) => !shown.includes(branch)).map(({ label }) => label['target_alias']);
  return branchesOutcome({ collect, ...(stopped.length > 0 && { stopped }) }, shown);
}

function allFailed(branches: readonly Branch[]): RemoteAgentError {
  return new RemoteAgentError('A2A_SDK_ERROR', `none of the ${branches.length} targets answered`, {
    branches: describeBranches(branches),
    suggested_action: 'list_targets',
  });
}
