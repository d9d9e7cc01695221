import { createHash, randomUUID } from 'node:crypto';
import type { SendMessageRequest, SendMessageResponse } from '@holdword/protocol';
import { headerValue } from '@holdword/runtime';
import { TURN_METADATA, type TurnMetadata } from '../contracts/guidance.ts';
import type { MessageRequest } from '../contracts/message-request.ts';
import type { Continuation, HubContext } from '../hub-part.ts';
import type { Identity } from '../identity/identity.ts';
import type { Session } from '../sessions/session.ts';
import { type HubRequestContext, operationContext } from '../wire/request-context.ts';

export interface Sender {
  readonly identity: Identity;
  readonly session: Session;
  readonly continuation: Continuation | undefined;
  readonly requestContext: HubRequestContext;
}

/** Sends a message to the answering agent, as a task of the sender or to the task whose hand-off the sender holds. */
export function sendToAgent(
  { operations }: Pick<HubContext, 'operations'>,
  request: MessageRequest,
  { identity, session, continuation, requestContext }: Sender,
): Promise<SendMessageResponse> {
  const { agentId, agent, owner } = identity;
  const about: TurnMetadata = {
    agentId,
    sessionId: session.sessionId,
    ...(agent.controllerId !== undefined && { controllerId: agent.controllerId }),
    mode: request.mode,
  };
  const taskId = continuation === undefined ? request.taskId : continuation.taskId;
  const { contextId = session.sessionId, referenceTaskIds } = continuation ?? {};
  const send: SendMessageRequest = {
    message: {
      messageId: request.messageId ?? messageIdFor(requestContext),
      role: 'ROLE_USER',
      parts: [{ text: request.text }],
      ...(taskId === undefined ? { contextId } : { taskId }),
      ...(referenceTaskIds !== undefined && { referenceTaskIds: [...referenceTaskIds] }),
    },
    configuration: { historyLength: 0, returnImmediately: !request.blocking },
    metadata: { [TURN_METADATA]: about },
  };
  return operations.sendMessage(send, operationContext(continuation?.owner ?? owner, requestContext));
}

/** A message that is resent with its idempotency key must keep its id. */
function messageIdFor(requestContext: HubRequestContext): string {
  const key = headerValue(requestContext.headers, 'idempotency-key');
  return key === undefined ? randomUUID() : createHash('sha256').update(key).digest('hex');
}
