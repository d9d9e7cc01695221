import type { AgentCard, JsonObject } from '@holdword/protocol';
import { shorten } from '@holdword/protocol/internal';
import { callError, withStreamDetails } from '../calls/call-error.ts';
import type { Delivery } from '../calls/deliver.ts';
import type { RemoteCall } from '../calls/remote-call.ts';
import { presentId } from '../calls/reply.ts';
import type { OutboundConfig } from '../config.ts';
import { RemoteAgentError } from '../remote-agent-error.ts';
import { continueFrom, type ContinuationServices } from '../request/continuation.ts';
import type { RemoteAgentRequest, RequestPart } from '../request/request.ts';

interface FailedSend {
  readonly call: RemoteCall;
  readonly delivery: Delivery;
  readonly request: RemoteAgentRequest;
  readonly services: ContinuationServices & { readonly config: OutboundConfig };
}

const ENDED_TASK =
  'The task may have ended: call status. To say more in its conversation, send a continuation without "task".';

/** The error of a failed send, with its progress, its task and the agent's capabilities. */
export async function sendError(error: unknown, failed: FailedSend): Promise<unknown> {
  const { call, delivery, request, services } = failed;
  const { card, log, follows } = delivery;
  const known = follows ? withStreamDetails(error, log, call.limit) : callError(error, call.limit);
  if (!(known instanceof RemoteAgentError) || known.code !== 'A2A_SDK_ERROR') return known;
  const { acceptedOutputModes } = services.config.policy;
  return known.with({
    ...(card && { capability_diagnostics: capabilityDiagnostics(request, card, acceptedOutputModes) }),
    ...(known.details['errorName'] === 'UNSUPPORTED_OPERATION' &&
      delivery.sent?.message.taskId !== undefined && { suggested_action: 'status', hint: ENDED_TASK }),
    ...(await taskDetails(failed)),
  });
}

/** Details that let the model continue with the task although the call failed. */
async function taskDetails({ call, delivery, services }: FailedSend): Promise<JsonObject> {
  const task = delivery.view?.toTask();
  if (task === undefined) return {};
  const contextId = presentId(task.contextId);
  const known = { taskId: task.id, contextId, state: task.status.state };
  const continuation = await continueFrom(call.target, known, services);
  return {
    task_id: task.id,
    task_handle: continuation?.task?.task_handle,
    ...(contextId !== undefined && { context_id: contextId }),
    suggested_action: 'status',
    continuation,
  };
}

/** Compares what a failed send requested with what the agent's card declares. */
function capabilityDiagnostics(
  { parts = [], accepted_output_modes, follow_updates, push_notification_config }: RemoteAgentRequest,
  card: AgentCard,
  policyModes: readonly string[],
): JsonObject {
  const { capabilities, skills } = card;
  const inputModes = new Set([
    ...card.defaultInputModes,
    ...skills.flatMap((skill) => skill.inputModes ?? []),
  ]);
  const outputModes = new Set([
    ...card.defaultOutputModes,
    ...skills.flatMap((skill) => skill.outputModes ?? []),
  ]);
  const sent = [...new Set(parts.map(modeOf))];
  const wanted = accepted_output_modes ?? policyModes;
  const mismatches = [
    ...sent
      .filter((mode) => !covers(inputModes, mode))
      .map((mode) => `the card does not list ${mode} among its input modes`),
    ...(wanted.length > 0 && !wanted.some((mode) => covers(outputModes, mode))
      ? ['the card lists none of the accepted output modes']
      : []),
    ...(follow_updates === true && capabilities.streaming !== true
      ? ['follow_updates was requested, but the card does not declare streaming']
      : []),
    ...(push_notification_config !== undefined && capabilities.pushNotifications !== true
      ? ['push notifications were requested, but the card does not declare them']
      : []),
  ];
  return {
    requested: {
      input_modes: sent,
      accepted_output_modes: wanted,
      streaming: follow_updates === true,
      push_notifications: push_notification_config !== undefined,
    },
    peer_card: {
      default_input_modes: firstOf(card.defaultInputModes),
      default_output_modes: firstOf(card.defaultOutputModes),
      streaming: capabilities.streaming ?? null,
      push_notifications: capabilities.pushNotifications ?? null,
    },
    mismatches,
  };
}

function firstOf(modes: readonly string[]): string[] {
  return modes.slice(0, 20).map((mode) => shorten(mode, 100));
}

function modeOf(part: RequestPart): string {
  if (part.kind === 'text') return 'text/plain';
  if (part.kind === 'data') return 'application/json';
  return part.mime_type ?? 'application/octet-stream';
}

/** A card without modes, or with a wildcard, accepts everything. */
function covers(modes: ReadonlySet<string>, mode: string): boolean {
  const family = `${mode.split('/')[0] ?? ''}/*`;
  return modes.size === 0 || modes.has(mode) || modes.has('*/*') || modes.has(family);
}
