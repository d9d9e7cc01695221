import { createHash, randomUUID } from 'node:crypto';
import {
  isA2AError,
  type JsonObject,
  type SendMessageRequest,
  type SendMessageResponse,
} from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { headerValue } from '@holdword/runtime';
import { ownerKey } from '@holdword/runtime/internal';
import type { Continuation, Exchange, HubContext, HubPart, MessageIds } from '../hub-part.ts';
import type { Identity } from '../identity/identity.ts';
import { SESSION_ID_HEADERS } from '../sessions/declared-sessions.ts';
import { HubError } from '../wire/hub-error.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { configurationOf, firstHeader, firstText, metadataOf } from '../wire/read-fields.ts';
import { operationContext, type HubRequestContext } from '../wire/request-context.ts';
import { answerFields } from './answer-fields.ts';
import { pickFields } from './answer-profiles.ts';
import { TURN_METADATA, type TurnMetadata } from './guidance.ts';
import { MESSAGE_ARGUMENTS } from './message-arguments.ts';
import { requireDriver } from './task-methods.ts';
import { readMessageRequest, withoutFiles, type MessageRequest } from './message-request.ts';

/** `message/send`: sends a message in a session and returns the agent's answer in the requested profile. */
export function messageSend(context: HubContext, parts: readonly HubPart[]): HubMethod {
  const more = parts.flatMap((part) => part.messageArguments ?? []);
  const tools = parts.flatMap((part) => part.tools ?? []);
  return {
    name: 'message/send',
    spec: {
      description: "Sends a message in the agent's session and returns the answer with the next action.",
      required: ['message'],
      recommended: ['session_id', 'mode', 'profile'],
      accepts: [...MESSAGE_ARGUMENTS, ...more],
      identity_fallback:
        'None. Call agents/register first, then send x-delx-agent-id and x-delx-agent-token.',
    },
    isStandard: isStandardSend,
    async handle(params, requestContext) {
      const asked = readMessageRequest(params, more);
      const identity = await context.identities.require(requestContext, params);
      if (requestContext.isRepeated !== true) context.limits.take('messagesPerMinute', identity.agentId);
      const ids = messageIdsOf(asked, requestContext);
      const continuation = await findContinuation(parts, params, identity, ids);
      if (continuation === undefined) await requireOwnTask(context, parts, asked.taskId, identity);
      const resolved = await context.sessions.resolve(requestContext, params, identity.agentId);
      const begunAt = context.now();
      const { sessionId } = resolved.session;
      const { answer, request } = await sendWithFiles(context, asked, {
        identity,
        sessionId,
        messageId: ids.messageId,
        continuation,
        requestContext,
        mayContinue: () => stillDrives(parts, asked.taskId, identity, continuation),
      });
      const task = 'task' in answer ? answer.task : undefined;
      const message = 'message' in answer ? answer.message : undefined;
      const exchange: Exchange = {
        params,
        text: request.text,
        responseMode: request.responseMode,
        identity,
        resolved,
        requestContext,
        task,
        continuation,
      };
      const enriched = await Promise.all(parts.map(async (part) => part.enrich?.(exchange)));
      const fields = answerFields(context, exchange, { request, message, begunAt, tools });
      return pickFields(request, Object.assign(fields, ...enriched));
    },
  };
}

/** Asks the parts of the hub for another agent's task that the message continues. */
async function findContinuation(
  parts: readonly HubPart[],
  params: JsonObject,
  identity: Identity,
  ids: MessageIds,
): Promise<Continuation | undefined> {
  for (const part of parts) {
    const continuation = await part.continuation?.(params, identity, ids);
    if (continuation !== undefined) return continuation;
  }
  return undefined;
}

/** Before the session is resolved, so that a message that is refused starts none. */
async function requireOwnTask(
  { store }: Pick<HubContext, 'store'>,
  parts: readonly HubPart[],
  taskId: string | undefined,
  identity: Identity,
): Promise<void> {
  if (taskId === undefined) return;
  const header = await store.readTask(taskId);
  if (header?.owner === ownerKey(identity.owner)) {
    await requireDriver(parts, taskId, identity.agentId);
    return;
  }
  throw new HubError('DELX-A2A-1011', 'Task not found.', {
    hint: 'Send the id from an earlier answer as task_id, or omit it to start a new task.',
    details: { reason: 'task_not_found' },
  });
}

/** Asked again when the turn of the message comes: it may have waited while another agent claimed the task. */
async function stillDrives(
  parts: readonly HubPart[],
  taskId: string | undefined,
  { agentId }: Identity,
  continuation: Continuation | undefined,
): Promise<void> {
  if (continuation !== undefined) await continuation.requireHolder();
  else if (taskId !== undefined) await requireDriver(parts, taskId, agentId);
}

interface Sender {
  readonly identity: Identity;
  readonly sessionId: string;
  readonly messageId: string;
  readonly continuation: Continuation | undefined;
  readonly requestContext: HubRequestContext;
  readonly mayContinue: () => Promise<void>;
}

/** Sends the files of a message along, unless the agent refuses such content: then the text is what counts. */
async function sendWithFiles(
  context: Pick<HubContext, 'operations'>,
  request: MessageRequest,
  sender: Sender,
): Promise<{ answer: SendMessageResponse; request: MessageRequest }> {
  try {
    return { answer: await sendToAgent(context, request, sender), request };
  } catch (error) {
    const isRefused = isA2AError(error) && error.code === 'CONTENT_TYPE_NOT_SUPPORTED';
    if (!isRefused || request.files.length === 0) throw error;
    const textOnly = withoutFiles(request);
    return { answer: await sendToAgent(context, textOnly, sender), request: textOnly };
  }
}

/** Sends a message to the answering agent, as a task of the sender or to the task whose hand-off the sender holds. */
function sendToAgent(
  { operations }: Pick<HubContext, 'operations'>,
  request: MessageRequest,
  { identity, sessionId, messageId, continuation, requestContext, mayContinue }: Sender,
): Promise<SendMessageResponse> {
  const { agentId, agent, owner } = identity;
  const about: TurnMetadata = {
    agentId,
    sessionId,
    ...(agent.controllerId !== undefined && { controllerId: agent.controllerId }),
    mode: request.mode,
  };
  const taskId = continuation === undefined ? request.taskId : continuation.taskId;
  const { contextId = sessionId, referenceTaskIds } = continuation ?? {};
  const send: SendMessageRequest = {
    message: {
      messageId,
      role: 'ROLE_USER',
      parts: [{ text: request.text }, ...request.files.map(({ part }) => part)],
      ...(taskId === undefined ? { contextId } : { taskId }),
      ...(referenceTaskIds !== undefined && { referenceTaskIds: [...referenceTaskIds] }),
    },
    configuration: { historyLength: 0, returnImmediately: !request.blocking },
    metadata: { [TURN_METADATA]: about },
  };
  const context = operationContext(continuation?.owner ?? owner, requestContext, mayContinue);
  return operations.sendMessage(send, context);
}

/** A message that is resent with its idempotency key must keep its id. */
function messageIdsOf({ messageId }: MessageRequest, { headers }: HubRequestContext): MessageIds {
  const idempotencyKey = headerValue(headers, 'idempotency-key');
  const ownId =
    idempotencyKey === undefined ? randomUUID() : createHash('sha256').update(idempotencyKey).digest('hex');
  return { messageId: messageId ?? ownId, idempotencyKey };
}

/** The parameters and configuration fields of `message/send` in A2A 0.3. */
const STANDARD_PARAMETERS = new Set(['message', 'configuration', 'metadata']);
const STANDARD_CONFIGURATION = new Set([
  'acceptedOutputModes',
  'blocking',
  'historyLength',
  'pushNotificationConfig',
]);
const HUB_METADATA = ['session_id', 'sessionId', 'agent_id', 'agentId', 'contextId', 'context_id'];

/**
 * Whether a `message/send` request is plain A2A 0.3. Its messages have an id, which clients of the hub do not send; any
 * field or header that is specific to the hub makes it a hub request.
 */
function isStandardSend(params: JsonObject, requestContext: HubRequestContext): boolean {
  return (
    firstText(asObject(params['message']), ['messageId']) !== undefined &&
    Object.keys(params).every((name) => STANDARD_PARAMETERS.has(name)) &&
    Object.keys(configurationOf(params)).every((name) => STANDARD_CONFIGURATION.has(name)) &&
    firstText(metadataOf(params), HUB_METADATA) === undefined &&
    firstHeader(requestContext.headers, SESSION_ID_HEADERS) === undefined
  );
}
