import { minimizeText } from '@holdword/client/internal';
import type { JsonObject } from '@holdword/protocol';
import { coreMessageToV03, coreTaskToV03 } from '@holdword/protocol/internal';
import { checkTaskId } from '../calls/remote-call.ts';
import type { Reply } from '../calls/reply.ts';
import { buildContinuation } from '../continuation/build-continuation.ts';
import type { RequestContinuation } from '../request/request.ts';
import type { Services } from '../services.ts';
import type { Target } from '../targets/target.ts';
import type { Outcome } from './outcome.ts';
import { questionOf } from './question.ts';
import { replyText, type ReplyContent } from './reply-text.ts';

type OutcomeServices = Pick<Services, 'config' | 'handles' | 'signature'>;

/** The reply of one agent with its continuation. Creates a handle for its task, or extends the existing one. */
export async function replyOutcome(
  target: Target,
  reply: Reply,
  services: OutcomeServices,
): Promise<Outcome> {
  const continuation = await continueFrom(target, reply, services);
  const text = minimizeText(replyText(reply.content), {
    characterLimit: services.config.limits.rawCharacters,
  }).text;
  const question = 'task' in reply.content ? questionOf(reply.content.task.status) : undefined;
  const summary: JsonObject = {
    ...targetSummary(target),
    response_kind: responseKind(reply),
    ...(text !== '' && { message_text: text }),
    ...(question && { question }),
    ...(continuation && { continuation }),
  };
  return { summary, raw: rawOf(reply), replies: [reply] };
}

/** Descriptive only: follow-ups use the continuation. */
function targetSummary({ baseUrl, configured }: Target): JsonObject {
  return { ...(configured && { target_alias: configured.alias }), target_url: baseUrl };
}

async function continueFrom(
  target: Target,
  reply: Reply,
  { handles, signature }: OutcomeServices,
): Promise<RequestContinuation | undefined> {
  const { taskId, contextId } = idsOf(reply.content);
  const status = 'task' in reply.content ? reply.content.task.status : undefined;
  if (taskId !== undefined) checkTaskId(taskId);
  const handle =
    taskId === undefined
      ? undefined
      : await handles.bind({
          address: target,
          alias: target.configured?.alias,
          taskId,
          contextId,
          state: status?.state,
          stateSince: status?.timestamp,
        });
  if (taskId === undefined && contextId === undefined) return undefined;
  return buildContinuation({
    target,
    signature: target.configured === undefined ? await signature.sign(target) : undefined,
    ...(taskId !== undefined && { task: { handle, id: taskId, state: status?.state } }),
    contextId,
    streaming: reply.streaming,
  });
}

function idsOf(content: ReplyContent): { taskId?: string | undefined; contextId?: string | undefined } {
  if ('task' in content) {
    const { id, contextId } = content.task;
    return { taskId: id, contextId: contextId === '' ? undefined : contextId };
  }
  const { taskId, contextId } = content.message;
  return { taskId: taskId === '' ? undefined : taskId, contextId: contextId === '' ? undefined : contextId };
}

function responseKind({ content }: Reply): 'message' | 'task' {
  return 'task' in content ? 'task' : 'message';
}

function rawOf({ content, log }: Reply): unknown {
  if (log !== undefined) return { events: log.events(), finalEvent: log.latest };
  return 'task' in content
    ? coreTaskToV03(content.task, 'plain')
    : coreMessageToV03(content.message, 'plain');
}
