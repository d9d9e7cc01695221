import { answerFields } from '../contracts/answer-fields.ts';
import { pickFields } from '../contracts/profiles.ts';
import type { Exchange, HubContext, HubPart } from '../hub-part.ts';
import { sessionHeader } from '../sessions/declared-sessions.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { MESSAGE_ARGUMENTS } from './arguments.ts';
import { findContinuation } from './find-continuation.ts';
import { isStandardSend } from './is-standard-send.ts';
import { readMessageRequest } from './read-message-request.ts';
import { sendToAgent } from './send-to-agent.ts';

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
      sessionHeader(requestContext.headers);
      const request = readMessageRequest(params, more);
      const identity = await context.identities.require(requestContext, params);
      const continuation = await findContinuation(parts, params, identity);
      const resolved = await context.sessions.resolve(requestContext, params, identity.agentId);
      const begunAt = context.now();
      const answer = await sendToAgent(context, request, {
        identity,
        session: resolved.session,
        continuation,
        requestContext,
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
      };
      const enriched = await Promise.all(parts.map(async (part) => part.enrich?.(exchange)));
      const fields = answerFields(context, exchange, { request, message, begunAt, tools });
      return pickFields(request, Object.assign(fields, ...enriched));
    },
  };
}
