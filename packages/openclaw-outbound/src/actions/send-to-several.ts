import { branchesOutcome, branchOf, describeBranches, isGood, type Branch } from '../results/branches.ts';
import type { Outcome } from '../results/outcome.ts';
import { RemoteAgentError } from '../results/remote-agent-error.ts';
import type { Services } from '../services.ts';
import type { ActionCall } from './action.ts';
import { sendToOne } from './send-to-one.ts';

/**
 * Sends one message to several agents at once, each with a continuation of its own. With `collect: first` the first good
 * answer ends the others: their tasks are cancelled where they are known.
 */
export async function sendToSeveral(
  aliases: readonly string[],
  { request, signal, ...action }: ActionCall,
  services: Services,
): Promise<Outcome> {
  const { target_aliases: _aliases, collect = 'all', ...shared } = request;
  const branches = aliases.map((alias) => {
    const enough = new AbortController();
    const stop = signal === undefined ? enough.signal : AbortSignal.any([signal, enough.signal]);
    const own = { ...action, signal: stop, request: { ...shared, target_alias: alias } };
    return { enough, done: branchOf({ target_alias: alias }, sendToOne(own, services)) };
  });
  let first: Branch | undefined;
  const all = await Promise.all(
    branches.map(async ({ done }) => {
      const branch = await done;
      if (collect === 'first' && first === undefined && isGood(branch)) {
        first = branch;
        for (const other of branches) if (other.done !== done) other.enough.abort();
      }
      return branch;
    }),
  );
  const shown = first === undefined ? all : [first];
  if (!shown.some(isGood)) throw allFailed(all);
  const stopped = all.filter((branch) => !shown.includes(branch)).map(({ label }) => label['target_alias']);
  return branchesOutcome({ collect, ...(stopped.length > 0 && { stopped }) }, shown);
}

function allFailed(branches: readonly Branch[]): RemoteAgentError {
  return new RemoteAgentError('A2A_SDK_ERROR', `none of the ${branches.length} targets gave an answer`, {
    branches: describeBranches(branches),
    suggested_action: 'list_targets',
  });
}
