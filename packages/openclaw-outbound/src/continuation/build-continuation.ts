import { isTerminal, type TaskState } from '@holdword/protocol';
import type { RequestContinuation, ContinuationTarget, ContinuationTask } from '../request/request.ts';
import type { Target } from '../targets/target.ts';

export interface ContinuationFacts {
  readonly target: Target;
  /** For targets that are not configured. */
  readonly signature?: string | undefined;
  readonly task?: {
    readonly handle?: string | undefined;
    readonly id: string;
    /** Unknown when the agent answered with a message that belongs to a task. */
    readonly state?: TaskState | undefined;
  };
  readonly contextId?: string | undefined;
  /** Whether the agent streams, as far as its card says. */
  readonly streaming?: boolean | undefined;
}

/** All that is needed to go on; undefined when there is nothing to go on with. */
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
  const goesOn = state === undefined || !isTerminal(state);
  return {
    ...(handle !== undefined && { task_handle: handle }),
    task_id: id,
    ...(state !== undefined && { status: stateName(state) }),
    can_resume_send: goesOn,
    can_send: goesOn,
    can_status: true,
    can_cancel: goesOn,
    can_watch: goesOn && streaming !== false,
  };
}

/** `TASK_STATE_INPUT_REQUIRED` is `input-required`. */
export function stateName(state: TaskState): string {
  return state.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-');
}
