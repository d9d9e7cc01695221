import type { JsonObject } from '@holdword/protocol';
import { checkTaskId } from '../calls/remote-call.ts';
import { presentId, replyEvent, replyText, type Reply, type ReplyContent } from '../calls/reply.ts';
import type { OutboundConfig } from '../config.ts';
import { publicError } from '../remote-agent-error.ts';
import { continueFrom, type ContinuationServices, type KnownTask } from '../request/continuation.ts';
import type { Target } from '../targets/target.ts';
import { cutText } from './foreign-text.ts';
import { questionOf } from './question.ts';

/** The outcome of an action, before it is formatted for programs and for the model. */
export interface Outcome {
  readonly summary: JsonObject;
  readonly raw: unknown;
  /** The agents' replies, in the order of the summary's branches; one for actions on a single target. */
  readonly replies: readonly (Reply | undefined)[];
}

/** The reply of one agent with its continuation. Creates a handle for its task, or extends the existing one. */
export async function replyOutcome(
  target: Target,
  reply: Reply,
  services: ContinuationServices & { readonly config: OutboundConfig },
): Promise<Outcome> {
  const { content, log, streaming } = reply;
  const known = knownTask(content);
  if (known.taskId !== undefined) checkTaskId(known.taskId);
  const continuation = await continueFrom(target, { ...known, streaming }, services);
  const text = cutText(replyText(content), services.config.limits.rawCharacters);
  const question = 'task' in content ? questionOf(content.task.status) : undefined;
  const summary: JsonObject = {
    // Descriptive only: follow-ups use the continuation.
    ...(target.configured && { target_alias: target.configured.alias }),
    target_url: target.baseUrl,
    response_kind: 'task' in content ? 'task' : 'message',
    ...(text !== '' && { message_text: text }),
    ...(question && { question }),
    ...(continuation && { continuation }),
  };
  const raw = log === undefined ? replyEvent(content) : { events: log.events(), finalEvent: log.latest };
  return { summary, raw, replies: [reply] };
}

function knownTask(content: ReplyContent): KnownTask {
  if ('task' in content) {
    const { id, contextId, status } = content.task;
    return {
      taskId: id,
      contextId: presentId(contextId),
      state: status.state,
      stateSince: status.timestamp,
    };
  }
  const { taskId, contextId } = content.message;
  return { taskId: presentId(taskId), contextId: presentId(contextId) };
}

/** One of several parallel operations of a call. */
export interface Branch {
  /** Identifies the branch in the result. */
  readonly label: JsonObject;
  readonly result: { readonly outcome: Outcome } | { readonly error: unknown };
}

export async function branchOf(label: JsonObject, run: Promise<Outcome>): Promise<Branch> {
  try {
    return { label, result: { outcome: await run } };
  } catch (error) {
    return { label, result: { error } };
  }
}

export function succeeded({ result }: Branch): boolean {
  return 'outcome' in result;
}

/** Each branch with its summary or its error. */
export function describeBranches(branches: readonly Branch[]): JsonObject[] {
  return branches.map(({ label, result }) =>
    'outcome' in result
      ? { ...label, ok: true, summary: result.outcome.summary }
      : { ...label, ok: false, error: publicError(result.error) },
  );
}

export function branchesOutcome(summary: JsonObject, branches: readonly Branch[]): Outcome {
  return {
    summary: { ...summary, branches: describeBranches(branches) },
    raw: branches.map(({ result }) => ('outcome' in result ? result.outcome.raw : null)),
    replies: branches.map(({ result }) => ('outcome' in result ? result.outcome.replies[0] : undefined)),
  };
}
