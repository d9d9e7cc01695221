import { isTerminal, type TaskState } from '@holdword/protocol';
import type { ContinuationTarget, ContinuationTask, RequestContinuation } from '../contract.ts';
import { contextName, plausibleId, shownId } from '../remote-ids.ts';
import type { TargetSignature } from '../state/target-signature.ts';
import type { ObservedTask, TaskHandles } from '../state/task-handles.ts';
import type { Target } from '../targets/target.ts';

/** What signs continuations and names their tasks. */
export interface ContinuationServices {
  readonly handles: TaskHandles;
  readonly signature: TargetSignature;
}

/** The task and the conversation of a response, as far as it names them. */
export interface KnownTask extends Pick<ObservedTask, 'contextId' | 'stateSince'> {
  readonly taskId?: string | undefined;
  readonly state?: TaskState | undefined;
}

/** A longer context id is not worth keeping: no agent needs it. */
const MAX_KEPT_LENGTH = 2_000;

/**
 * The continuation of a response; undefined if there is neither a task nor a conversation. Creates a handle for the task, or
 * extends the existing one.
 */
export async function continueFrom(
  target: Target,
  { streaming, ...known }: KnownTask & Pick<ContinuationFacts, 'streaming'>,
  { handles, signature }: ContinuationServices,
): Promise<RequestContinuation | undefined> {
  const { taskId, state } = known;
  const contextId =
    known.contextId && known.contextId.length <= MAX_KEPT_LENGTH ? known.contextId : undefined;
  if (taskId === undefined && contextId === undefined) return undefined;
  const alias = target.configured?.alias;
  const handle =
    taskId === undefined
      ? undefined
      : await handles.bind({ ...known, contextId, address: target, alias, taskId });
  if (contextId !== undefined && shownId(contextId) === undefined) {
    await handles.keepConversation(contextName(contextId), { address: target, contextId });
  }
  return buildContinuation({
    target,
    signature: await signature.signUnconfigured(target),
    task: taskId === undefined ? undefined : { handle, id: taskId, state },
    // One that cannot be shown is kept with the handle, which is enough to continue.
    contextId: plausibleId(contextId),
    streaming,
  });
}

interface ContinuationFacts {
  readonly target: Target;
  /** Set for targets that are not configured. */
  readonly signature?: string | undefined;
  readonly task?:
    | {
        readonly handle?: string | undefined;
        readonly id: string;
        /** Unknown if the agent answered with a message that belongs to a task. */
        readonly state?: TaskState | undefined;
      }
    | undefined;
  readonly contextId?: string | undefined;
  /** Whether the agent's card declares streaming. */
  readonly streaming?: boolean | undefined;
}

/** Everything needed for a follow-up; undefined if there is neither a task nor a conversation. */
export function buildContinuation(facts: ContinuationFacts): RequestContinuation | undefined {
  const { task, contextId } = facts;
  if (task === undefined && contextId === undefined) return undefined;
  return {
    target: continuationTarget(facts),
    ...(task && { task: continuationTask(task, facts.streaming) }),
    ...(contextId !== undefined && { conversation: { context_id: contextId, can_send: true } }),
  };
}

function continuationTarget({ target, signature }: ContinuationFacts): ContinuationTarget {
  const { baseUrl, cardPath, preferredTransports, configured } = target;
  return {
    target_url: baseUrl,
    card_path: cardPath,
    preferred_transports: [...preferredTransports],
    ...(configured && { target_alias: configured.alias }),
    ...(signature !== undefined && { signature }),
  };
}

function continuationTask(
  { handle, id, state }: NonNullable<ContinuationFacts['task']>,
  streaming: boolean | undefined,
): ContinuationTask {
  const isOpen = state === undefined || !isTerminal(state);
  return {
    ...(handle !== undefined && { task_handle: handle }),
    task_id: id,
    ...(state !== undefined && { status: stateName(state) }),
    can_resume_send: isOpen,
    can_send: isOpen,
    can_status: true,
    can_cancel: isOpen,
    can_watch: isOpen && streaming !== false,
  };
}

const ENDED: readonly string[] = ['completed', 'failed', 'canceled', 'rejected'];

/** Whether a continuation says that its task has ended. */
export function hasEnded({ status = '', can_resume_send: canResume }: ContinuationTask): boolean {
  return canResume === false || ENDED.includes(status);
}

/** Whether a continuation says that its task waits for an answer. */
export function isWaiting({ status }: ContinuationTask): boolean {
  return status === 'input-required' || status === 'auth-required';
}

/** `TASK_STATE_INPUT_REQUIRED` becomes `input-required`. */
export function stateName(state: TaskState): string {
  return state.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
}
