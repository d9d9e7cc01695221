import { isTerminal, type TaskState } from '@holdword/protocol';
import type { RequestContinuation, ContinuationTarget, ContinuationTask } from '../request/request.ts';
import type { Target } from '../targets/target.ts';

export interface ContinuationFacts {
  readonly target: Target;
  /** Set for targets that are not configured. */
  readonly signature?: string | undefined;
  readonly task?: {
    readonly handle?: string | undefined;
    readonly id: string;
    /** Unknown if the agent answered with a message that belongs to a task. */
    readonly state?: TaskState | undefined;
  };
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

/** `TASK_STATE_INPUT_REQUIRED` becomes `input-required`. */
export function stateName(state: TaskState): string {
  return state.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
}
