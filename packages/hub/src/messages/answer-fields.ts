import { isTerminal, textOfParts, type JsonObject, type Message, type Task } from '@holdword/protocol';
import { asObject, coreMessageToV03 } from '@holdword/protocol/internal';
import type { Exchange, HubContext } from '../hub-part.ts';
import { ephemeralNotice, registrationFields } from '../identity/identity.ts';
import { declaredContextToken } from '../sessions/declared-sessions.ts';
import {
  SESSION_PRECEDENCE,
  sessionPersistence,
  sessionResolution,
  sessionTimes,
} from '../sessions/session.ts';
import type { HubLinks } from '../wire/hub-links.ts';
import type { ToolDescription } from '../wire/hub-method.ts';
import { isoTime } from '../wire/times.ts';
import { usageEstimate } from '../wire/usage-estimate.ts';
import { hasMessages } from './answer-profiles.ts';
import type { MessageRequest } from './message-request.ts';
import { artifactField, artifactsOf, messagesOf, statusField, stepsOf } from './task-fields.ts';

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
    status: {
      ...(task === undefined ? { state: 'completed', timestamp: isoTime(now()) } : statusField(task)),
      ...statusMessage(request, task, messages),
    },
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
    artifacts: answerArtifacts(
      request,
      task,
      firstArtifact(agentId, sessionId, links, request, details.tools),
    ),
    ...continuityFields(task),
  };
}

function answerMessages(task: Task | undefined, message: Message | undefined): Message[] {
  if (task !== undefined) return messagesOf(task);
  return message === undefined ? [] : [message];
}

/**
 * The short profiles have no `messages`, so the status carries the agent's message, as it does in A2A. A text that is in
 * the artifacts is not repeated.
 */
function statusMessage(
  { profile, includeArtifacts }: MessageRequest,
  task: Task | undefined,
  [message]: readonly Message[],
): JsonObject {
  if (hasMessages(profile) || message === undefined) return {};
  const isInArtifacts = includeArtifacts && task !== undefined && task.status.message === undefined;
  return isInArtifacts ? {} : { message: coreMessageToV03(message) };
}

/** The minimal profile has the artifacts of the agent alone, and none if there are none. */
function answerArtifacts(
  { profile }: MessageRequest,
  task: Task | undefined,
  session: JsonObject,
): JsonObject[] | undefined {
  const artifacts = task === undefined ? [] : artifactsOf(task).map(artifactField);
  if (profile !== 'minimal') return [session, ...artifacts];
  return artifacts.length === 0 ? undefined : artifacts;
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

/** The fields an agent needs to continue if it reads a short profile. Parts of the hub can override them. */
function continuityFields(task: Task | undefined): JsonObject {
  return {
    trace_id: task?.id ?? null,
    last_successful_tool: null,
    last_blocker: blockerOf(task),
    suggested_next_call:
      task === undefined || isTerminal(task.status.state)
        ? { method: 'heartbeat/bundle', params: {} }
        : { method: 'tasks/get', params: { task_id: task.id } },
  };
}

function blockerOf(task: Task | undefined): string | null {
  if (task === undefined || task.status.state === 'TASK_STATE_COMPLETED') return null;
  const { message } = task.status;
  return message === undefined ? null : textOfParts(message.parts);
}

const DESCRIPTIVE_KEYS = new Set(['description', 'title', '$schema']);

/** The artifact that describes how to continue the session, so that agents do not need the documentation. */
function firstArtifact(
  agentId: string,
  sessionId: string,
  links: HubLinks,
  { embedToolSchemas }: Pick<MessageRequest, 'embedToolSchemas'>,
  tools: readonly ToolDescription[],
): JsonObject {
  return {
    artifact_id: 'session',
    name: 'session',
    mimeType: 'application/json',
    data: {
      initialization_parameters: {
        headers: {
          'x-delx-agent-id': agentId,
          'x-delx-agent-token': '<token from agents/register>',
          'x-delx-session-id': sessionId,
        },
        params: { session_id: sessionId },
        query: { session_id: sessionId },
      },
      mcp_handoff: {
        endpoint: links.mcp_endpoint,
        session_id: sessionId,
        tools: tools.map(({ name }) => name),
      },
      ...(embedToolSchemas !== 'off' && {
        tool_schemas_inline: tools.map((tool) => describeTool(tool, embedToolSchemas)),
      }),
    },
  };
}

/** The compact form omits descriptions and titles. */
function describeTool(tool: ToolDescription, detail: 'compact' | 'full'): JsonObject {
  if (detail === 'full') return { ...tool };
  const schema = JSON.stringify(tool.inputSchema, (key, value: unknown) =>
    DESCRIPTIVE_KEYS.has(key) && typeof value === 'string' ? undefined : value,
  );
  return { name: tool.name, inputSchema: asObject(JSON.parse(schema)) };
}
