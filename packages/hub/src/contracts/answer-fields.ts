import { isTerminal, type JsonObject, type Message, type Task, textOfParts } from '@holdword/protocol';
import { coreMessageToV03 } from '@holdword/protocol/internal';
import type { Exchange, HubContext } from '../hub-part.ts';
import { ephemeralNotice, registrationFields } from '../identity/identity.ts';
import { declaredContextToken } from '../sessions/declared-sessions.ts';
import {
  SESSION_PRECEDENCE,
  sessionPersistence,
  sessionResolution,
  sessionTimes,
} from '../sessions/session.ts';
import type { ToolDescription } from '../wire/hub-method.ts';
import { isoTime } from '../wire/times.ts';
import { continuityFields } from './continuity-fields.ts';
import type { MessageRequest } from './message-request.ts';
import { firstArtifact } from './first-artifact.ts';
import { artifactField, artifactsOf, messagesOf, statusField } from './task-fields.ts';
import { stepsOf } from './task-steps.ts';
import { usageEstimate } from './usage-estimate.ts';

export interface AnswerDetails {
  readonly request: MessageRequest;
  /** The agent's answer if it created no task. */
  readonly message: Message | undefined;
  /** When the hub started to handle the message, in milliseconds since the epoch. */
  readonly begunAt: number;
  readonly tools: readonly ToolDescription[];
}

/** Builds all fields that an answer to `message/send` can have; the profile decides which are sent. */
export function answerFields(context: HubContext, exchange: Exchange, details: AnswerDetails): JsonObject {
  const { links, now } = context;
  const { identity, resolved, requestContext, params, task } = exchange;
  const { request } = details;
  const { session } = resolved;
  const { sessionId } = session;
  const { agentId, agent } = identity;
  const messages = answerMessages(task, details.message);
  return {
    id: task?.id ?? details.message?.messageId ?? null,
    context_id: declaredContextToken(requestContext, params) ?? sessionId,
    session_id: sessionId,
    controller_id: agent.controllerId ?? null,
    response_profile: request.profile,
    canonical_agent_id: agentId,
    ephemeral_identity: agent.mode === 'ephemeral_hospitality',
    registration: registrationFields(agent, false),
    identity_notice: ephemeralNotice(agent),
    request_warnings: request.warnings,
    nudge: nudge(exchange),
    ...sessionTimes(session, now()),
    persisted: true,
    mcp_ready: details.tools.length > 0,
    session_persistence: sessionPersistence(sessionId),
    status: task === undefined ? { state: 'completed', timestamp: isoTime(now()) } : statusField(task),
    created_at: isoTime(details.begunAt),
    completed_at: completedAt(task, now()),
    response_contract_version: request.profile === 'legacy' ? 'v1' : 'v2',
    processing_ms: Math.round(performance.now() - requestContext.startedAt),
    usage_estimate: usageEstimate(request.text, messages.map(({ parts }) => textOfParts(parts)).join('\n')),
    links,
    ...stepsOf(task),
    impact_request: 'In your next message in this session, report the result of the next action.',
    session_resolution: sessionResolution(resolved),
    session_precedence: SESSION_PRECEDENCE,
    messages: messages.map((message) => coreMessageToV03(message)),
    artifacts: [
      firstArtifact(agentId, sessionId, links, request, details.tools),
      ...(task === undefined ? [] : artifactsOf(task).map(artifactField)),
    ],
    ...continuityFields(task),
  };
}

function answerMessages(task: Task | undefined, message: Message | undefined): Message[] {
  if (task !== undefined) return messagesOf(task);
  return message === undefined ? [] : [message];
}

/** Null while the agent is still working. */
function completedAt(task: Task | undefined, now: number): string | null {
  if (task !== undefined && !isTerminal(task.status.state)) return null;
  return task?.status.timestamp ?? isoTime(now);
}

/** A reminder for agents whose session is new. */
function nudge({ resolved: { isNew } }: Exchange): string | null {
  return isNew ? 'Store session_id and send it as x-delx-session-id to resume this session.' : null;
}
