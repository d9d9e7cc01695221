import type { Part } from '@holdword/protocol';
import type {
  BranchesSummary,
  BranchResult,
  RemoteAgentSuccess,
  ReplySummary,
  SavedFile,
} from '../contract.ts';
import { checkTaskId } from '../calls/remote-call.ts';
import { replyEvent, replyParts, replyText, type Reply, type ReplyContent } from '../calls/reply.ts';
import type { OutboundConfig } from '../config.ts';
import { publicError } from '../remote-agent-error.ts';
import { plausibleId } from '../remote-ids.ts';
import { continueFrom, type ContinuationServices, type KnownTask } from '../request/continuation.ts';
import type { Destination } from '../request/resolve-destination.ts';
import type { ReceivedFile, ReceivedFiles } from '../state/received-files.ts';
import { cutText } from './foreign-text.ts';
import { questionOf } from './question.ts';

/** The outcome of an action, before it is formatted for programs and for the model. */
export interface Outcome {
  readonly summary: RemoteAgentSuccess['summary'];
  readonly raw: unknown;
  /** The agents' replies, in the order of the summary's branches; one for actions on a single target. */
  readonly replies: readonly (Reply | undefined)[];
}

/** The outcome of an action on one target. */
export interface ReplyOutcome extends Outcome {
  readonly summary: ReplySummary;
  readonly replies: readonly [Reply];
}

export interface OutcomeServices extends ContinuationServices {
  readonly config: OutboundConfig;
  readonly files: ReceivedFiles;
}

const STARTED_OVER =
  'The earlier task has ended and its agent named no conversation, so this message started a new one: the agent may not know what was said before.';

/**
 * The reply of one agent with its continuation. Creates a handle for its task, or extends the existing one, and saves the files
 * in the reply.
 */
export async function replyOutcome(
  destination: Destination,
  reply: Reply,
  services: OutcomeServices,
): Promise<ReplyOutcome> {
  const { target } = destination;
  const { content, log, streaming, isAnswered } = reply;
  const known = knownTask(content, destination);
  if (known.taskId !== undefined) checkTaskId(known.taskId);
  const continuation = await continueFrom(target, { ...known, streaming }, services);
  const text = replyText(reply);
  const limit = services.config.limits.rawCharacters;
  const question = 'task' in content && isAnswered !== true ? questionOf(content.task.status) : undefined;
  const files = await saveFiles(replyParts(content), services.files);
  const summary: ReplySummary = {
    ...(target.configured && { target_alias: target.configured.alias }),
    target_url: target.baseUrl,
    response_kind: 'task' in content ? 'task' : 'message',
    ...(destination.startsOver === true && { note: STARTED_OVER }),
    ...(text !== '' && { message_text: cutText(text, limit) }),
    ...(text.length > limit && { message_text_cut: { characters: text.length, limit } }),
    ...(question && { question }),
    ...(files.length > 0 && { files }),
    ...(continuation && { continuation }),
  };
  const raw = log === undefined ? replyEvent(content) : { events: log.events(), finalEvent: log.latest };
  return { summary, raw, replies: [reply] };
}

/** A reply need not name its conversation: it is the one that the message was sent to. */
export function knownTask(content: ReplyContent, destination: Pick<Destination, 'contextId'>): KnownTask {
  if ('task' in content) {
    const { id, contextId, status } = content.task;
    return {
      taskId: id,
      contextId: contextId || destination.contextId,
      state: status.state,
      stateSince: status.timestamp,
    };
  }
  const { taskId, contextId } = content.message;
  return { taskId: plausibleId(taskId), contextId: contextId || destination.contextId };
}

function saveFiles(parts: readonly Part[], files: ReceivedFiles): Promise<SavedFile[]> {
  return files.save(
    parts.flatMap(({ raw, filename, mediaType }): ReceivedFile[] =>
      raw === undefined ? [] : [{ base64: raw, name: filename, mediaType }],
    ),
  );
}

/** One of several parallel operations of a call. */
export interface Branch {
  /** Identifies the branch in the result. */
  readonly label: Pick<BranchResult, 'target_alias' | 'task_handle'>;
  readonly result: { readonly outcome: ReplyOutcome } | { readonly error: unknown };
}

export async function branchOf(label: Branch['label'], run: Promise<ReplyOutcome>): Promise<Branch> {
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
export function describeBranches(branches: readonly Branch[]): BranchResult[] {
  return branches.map(({ label, result }) =>
    'outcome' in result
      ? { ...label, ok: true, summary: result.outcome.summary }
      : { ...label, ok: false, error: publicError(result.error) },
  );
}

export function branchesOutcome(
  summary: Omit<BranchesSummary, 'branches'>,
  branches: readonly Branch[],
): Outcome {
  return {
    summary: { ...summary, branches: describeBranches(branches) },
    raw: branches.map(({ result }) => ('outcome' in result ? result.outcome.raw : null)),
    replies: branches.map(({ result }) => ('outcome' in result ? result.outcome.replies[0] : undefined)),
  };
}
