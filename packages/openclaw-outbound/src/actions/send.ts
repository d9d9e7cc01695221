import { pause } from '@holdword/protocol/internal';
import { isInterrupted, isTerminal, type Task } from '@holdword/protocol';
import { cancelTask } from '../calls/background-work.ts';
import type { RunningTask } from '../contract.ts';
import { RemoteAgentError } from '../remote-agent-error.ts';
import { continueFrom } from '../request/continuation.ts';
import {
  type Branch,
  branchesOutcome,
  branchOf,
  describeBranches,
  knownTask,
  type Outcome,
  succeeded,
} from '../results/outcome.ts';
import type { ActionHandler, Services, ToolCall } from './action.ts';
import { type Cancellation, sendToOne } from './send-to-one.ts';

/** How long the first answer waits to learn whether the other agents have stopped. */
const STOP_MILLISECONDS = 2_000;

/** Sends a message to one agent or to several. */
export const send: ActionHandler = (action, services) => {
  const { target_aliases: aliases } = action.request;
  return aliases === undefined ? sendToOne(action, services) : sendToSeveral(aliases, action, services);
};

/** The call to one of several agents. */
interface BranchCall {
  readonly alias: string;
  readonly abort: AbortController;
  readonly done: Promise<Branch>;
  /** Set when the call was aborted, or answered with a task that is still open. */
  cancellation?: Cancellation;
}

/**
 * Sends one message to several agents in parallel; each branch has its own continuation. With `collect: first` the first good
 * answer aborts the other calls and cancels their tasks.
 */
async function sendToSeveral(
  aliases: readonly string[],
  { request, signal, ...action }: ToolCall,
  services: Services,
): Promise<Outcome> {
  const { target_aliases: _aliases, collect = 'all', ...shared } = request;
  const calls = aliases.map((alias): BranchCall => {
    const abort = new AbortController();
    const branchSignal = signal === undefined ? abort.signal : AbortSignal.any([signal, abort.signal]);
    const branchCall = { ...action, signal: branchSignal, request: { ...shared, target_alias: alias } };
    const sending = sendToOne(branchCall, services, (cancellation) => {
      call.cancellation = cancellation;
    });
    const call: BranchCall = { alias, abort, done: branchOf({ target_alias: alias }, sending) };
    return call;
  });
  const first = collect === 'first' ? await firstGood(calls) : undefined;
  if (first !== undefined) for (const { abort } of calls) abort.abort();
  const all = await Promise.all(calls.map(async (call) => ({ call, branch: await call.done })));
  if (first === undefined) {
    const branches = all.map(({ branch }) => branch);
    if (!branches.some(succeeded)) throw allFailed(branches);
    return branchesOutcome({ collect }, branches);
  }
  for (const { call, branch } of all) {
    const open = branch === first ? undefined : openTaskOf(branch);
    if (open === undefined) continue;
    const target = services.catalog.byAlias(call.alias);
    const headers = request.service_parameters ?? {};
    call.cancellation = {
      done: cancelTask(services.connections, { target, headers }, open.id).catch(() => false),
      task: () => knownTask({ task: open }, {}),
    };
  }
  const { stopped, running } = await stoppedOf(calls);
  // One that ended on its own has not been stopped, even if it failed.
  const ended = all.filter(
    ({ call, branch }) => ![...stopped, ...running].includes(call) && branch !== first,
  );
  const tasks = (await Promise.all(running.map((call) => runningTask(call, services)))).flat();
  return branchesOutcome(
    {
      collect,
      ...(stopped.length > 0 && { stopped: stopped.map(aliasOf) }),
      ...(running.length > 0 && { not_stopped: running.map(aliasOf) }),
      ...(tasks.length > 0 && { not_stopped_tasks: tasks }),
    },
    [first, ...ended.map(({ branch }) => branch)],
  );
}

function aliasOf({ alias }: BranchCall): string {
  return alias;
}

/** The task of an answer that has not ended: it may be working, or waiting for an answer. */
function openTaskOf({ result }: Branch): Task | undefined {
  if (!('outcome' in result)) return undefined;
  const { content } = result.outcome.replies[0];
  return 'task' in content && !isTerminal(content.task.status.state) ? content.task : undefined;
}

/** The task that a call could not stop; none if the agent has not named it. */
async function runningTask({ alias, cancellation }: BranchCall, services: Services): Promise<RunningTask[]> {
  const known = cancellation?.task();
  if (known === undefined) return [];
  const continuation = await continueFrom(services.catalog.byAlias(alias), known, services);
  if (continuation === undefined) return [];
  const handle = continuation.task?.task_handle;
  return [{ target_alias: alias, ...(handle !== undefined && { task_handle: handle }), continuation }];
}

/** The first good answer; undefined if there is none. */
function firstGood(calls: readonly BranchCall[]): Promise<Branch | undefined> {
  const found = Promise.withResolvers<Branch | undefined>();
  const checked = calls.map(async ({ done }) => {
    const branch = await done;
    if (isGood(branch)) found.resolve(branch);
  });
  void Promise.all(checked).then(() => found.resolve(undefined));
  return found.promise;
}

/** A message, or a task that has not failed and does not ask. */
function isGood({ result }: Branch): boolean {
  if (!('outcome' in result)) return false;
  const { content } = result.outcome.replies[0];
  if ('message' in content) return true;
  const { state } = content.task.status;
  return state === 'TASK_STATE_COMPLETED' || !(isTerminal(state) || isInterrupted(state));
}

/** Which calls are known to have stopped the work of their agent, and which are not. The others had nothing to stop. */
async function stoppedOf(
  calls: readonly BranchCall[],
): Promise<{ stopped: readonly BranchCall[]; running: readonly BranchCall[] }> {
  const over = new AbortController();
  const late = pause(STOP_MILLISECONDS, over.signal).then(() => false);
  const results = await Promise.all(
    calls.map(({ cancellation }) => Promise.race([cancellation?.done, late])),
  );
  over.abort();
  return {
    stopped: calls.filter((_call, index) => results[index] === true),
    running: calls.filter((_call, index) => results[index] === false),
  };
}

function allFailed(branches: readonly Branch[]): RemoteAgentError {
  return new RemoteAgentError('A2A_SDK_ERROR', `none of the ${branches.length} targets answered`, {
    branches: describeBranches(branches),
    suggested_action: 'list_targets',
    hint: 'Each branch says what is wrong with its target.',
  });
}
