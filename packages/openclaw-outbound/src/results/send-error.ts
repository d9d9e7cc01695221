import { isTooLarge, mayHaveArrived } from '@holdword/client/internal';
import { isConnectionError } from '@holdword/net/internal';
import {
  type A2AError,
  type AgentCard,
  IDEMPOTENCY_EXTENSION,
  isA2AError,
  type JsonObject,
} from '@holdword/protocol';
import { hasRemoteText, shorten } from '@holdword/protocol/internal';
import type { RemoteAgentRequest, RequestContinuation, RequestPart } from '../contract.ts';
import { callError, isStopped, remoteError, TASK_GONE, withStreamDetails } from '../calls/call-error.ts';
import type { Delivery } from '../calls/deliver.ts';
import { isCardFailure, type RemoteCall } from '../calls/remote-call.ts';
import type { OutboundConfig } from '../config.ts';
import { RemoteAgentError } from '../remote-agent-error.ts';
import { plausibleId } from '../remote-ids.ts';
import { continueFrom, type ContinuationServices } from '../request/continuation.ts';
import type { Destination } from '../request/resolve-destination.ts';
import { knownTask } from './outcome.ts';

interface FailedSend {
  readonly call: RemoteCall;
  readonly delivery: Delivery;
  readonly destination: Destination;
  readonly request: RemoteAgentRequest;
  readonly services: ContinuationServices & { readonly config: OutboundConfig };
  /** Whether the agent rejected the message because its task has ended. */
  readonly taskHasEnded: boolean;
  /** Why the agent could not be called, if that had failed before the call was aborted. */
  readonly trouble: A2AError | undefined;
}

const ENDED_TASK =
  'The task has ended: call status to see its result. To say more in its conversation, send a continuation without "task".';
const STILL_RUNNING =
  'The task is still running. Call watch or status with details.continuation instead of sending the message again.';
const PROCESSED_ONCE =
  'Send the same message again, with a larger timeout_ms if the agent needs more time: it is processed only once.';
const MAY_RUN_TWICE = 'The agent may have received the message: sending it again may do the work twice.';
const LONG_WORK = 'For long work, use task_requirement="required" and watch.';
const ANSWERED = 'Tell the user what the agent answered, and ask before you send it again.';
const ANSWERED_NOTHING =
  'Tell the user that the agent failed without saying why, and ask before you send it again.';
const UNUSABLE_ANSWER =
  "Tell the user that the agent's answer cannot be used, and ask before you send it again.";

const NOT_SENT =
  'The call ended before it reached the agent: the turn was aborted, or another agent answered first. The message was not sent.';
const MAY_HAVE_RUN =
  'The call failed while the agent had the message, and the work may have been done. Call status with details.continuation to see what became of it, before you send the message again.';
const ANSWER_TOO_LARGE =
  'The agent has answered, but its answer is larger than limits.responseBytes of this plugin. Ask it for less in a new message, or tell the user to raise the limit; sending the same again repeats the work.';

const CREDENTIALS_REJECTED =
  'The agent has accepted the message, but rejects the credentials of this target now. Tell the user that they must be corrected, then call status with details.continuation; do not send the message again.';

/** The error of an answer to a question whose task has ended since. */
export function lateAnswer(
  continuation: RequestContinuation | undefined,
  send: Pick<FailedSend, 'request' | 'services'>,
): RemoteAgentError {
  return new RemoteAgentError('A2A_SDK_ERROR', 'the task has ended, so its question cannot be answered', {
    ...diagnosticsOf({ ...send, delivery: {} }),
    suggested_action: 'status',
    hint: ENDED_TASK,
    ...(continuation?.task && {
      task_id: continuation.task.task_id,
      task_handle: continuation.task.task_handle,
    }),
    continuation,
  });
}

/** The error of a failed send, with its progress, its task and the agent's capabilities. */
export async function sendError(error: unknown, failed: FailedSend): Promise<unknown> {
  const { call, delivery, trouble } = failed;
  const { log, follows, sent } = delivery;
  if (trouble !== undefined && sent === undefined) return remoteError(trouble).with(diagnosticsOf(failed));
  const known =
    follows || log.count > 0 ? withStreamDetails(error, log, call.limit) : callError(error, call.limit);
  if (!(known instanceof RemoteAgentError)) return known;
  if (known.code === 'TASK_REQUIRED_BUT_MESSAGE_RETURNED') return known.with(diagnosticsOf(failed));
  if (known.code !== 'A2A_SDK_ERROR') return known;
  return known.with({
    ...diagnosticsOf(failed),
    ...adviceFor(error, failed),
    ...(await taskDetails(failed)),
  });
}

/** What to do next, where the hint of the error itself does not fit a message. */
function adviceFor(error: unknown, failed: FailedSend): JsonObject {
  const { call, delivery, taskHasEnded } = failed;
  const { sent, view, card } = delivery;
  if (isStopped(call.limit)) return sent === undefined ? { hint: NOT_SENT } : {};
  if (sent === undefined) return {};
  const isLate = call.limit.isExpired;
  if (view !== undefined) {
    if (isLate) return { hint: STILL_RUNNING };
    const isFailure = isA2AError(error) || isConnectionError(error);
    return isFailure ? { hint: acceptedHint(error) } : {};
  }
  if (isTooLarge(error)) return { hint: ANSWER_TOO_LARGE };
  if (taskHasEnded) return { suggested_action: 'status', hint: ENDED_TASK };
  if (!isLate && delivery.mayHaveRun !== true && !mayBeDelivered(error)) return {};
  const { extensions = [] } = card?.capabilities ?? {};
  const isIdempotent = extensions.some(({ uri }) => uri === IDEMPOTENCY_EXTENSION);
  if (isIdempotent) return { hint: PROCESSED_ONCE };
  return { hint: `${MAY_RUN_TWICE} ${isLate || isSilence(error) ? LONG_WORK : answerHint(error)}` };
}

/** After a failure, the task is what to look at: neither the same message again nor another target. */
function acceptedHint({ code }: { readonly code: string }): string {
  if (code === 'TASK_NOT_FOUND') return TASK_GONE;
  return code === 'UNAUTHENTICATED' ? CREDENTIALS_REJECTED : MAY_HAVE_RUN;
}

/** A result has what the agent says about a failure, but nothing of an answer that could not be read. */
function answerHint(error: unknown): string {
  if (isA2AError(error) && error.code === 'INVALID_AGENT_RESPONSE') return UNUSABLE_ANSWER;
  return isA2AError(error) && hasRemoteText(error) ? ANSWERED : ANSWERED_NOTHING;
}

/** Whether the agent has not answered at all, which a task that is watched avoids. */
function isSilence(error: unknown): boolean {
  return isConnectionError(error) || (isA2AError(error) && isConnectionError(error.cause));
}

function mayBeDelivered(error: unknown): boolean {
  return mayHaveArrived(error) && !(isA2AError(error) && isCardFailure(error));
}

/** Details that let the model continue with the task although the call failed. */
async function taskDetails({ call, delivery, destination, services }: FailedSend): Promise<JsonObject> {
  const task = delivery.view?.toTask();
  if (task === undefined) return {};
  const known = knownTask({ task }, destination);
  const contextId = plausibleId(known.contextId);
  const continuation = await continueFrom(call.target, known, services);
  return {
    task_id: task.id,
    task_handle: continuation?.task?.task_handle,
    ...(contextId !== undefined && { context_id: contextId }),
    suggested_action: 'status',
    continuation,
  };
}

type DiagnosedSend = Pick<FailedSend, 'request' | 'services'> & { readonly delivery: Pick<Delivery, 'card'> };

function diagnosticsOf({ delivery: { card }, request, services }: DiagnosedSend): JsonObject {
  const { acceptedOutputModes } = services.config.policy;
  return { capability_diagnostics: capabilityDiagnostics(request, card, acceptedOutputModes) };
}

/** What is known of an agent whose card could not be fetched. */
const NO_CARD: Pick<AgentCard, 'capabilities' | 'skills' | 'defaultInputModes' | 'defaultOutputModes'> = {
  capabilities: {},
  skills: [],
  defaultInputModes: [],
  defaultOutputModes: [],
};

/** Compares what a failed send requested with what the agent's card declares; without a card, nothing differs from it. */
function capabilityDiagnostics(
  { parts = [], accepted_output_modes, follow_updates, push_notification_config }: RemoteAgentRequest,
  known: AgentCard | undefined,
  policyModes: readonly string[],
): JsonObject {
  const card = known ?? NO_CARD;
  const { capabilities, skills } = card;
  const skillInputs = skills.flatMap((skill) => skill.inputModes ?? []);
  const skillOutputs = skills.flatMap((skill) => skill.outputModes ?? []);
  const inputModes = new Set([...card.defaultInputModes, ...skillInputs]);
  const outputModes = new Set([...card.defaultOutputModes, ...skillOutputs]);
  const sent = [...new Set(parts.flatMap((part) => modeOf(part) ?? []))];
  const wanted = accepted_output_modes ?? policyModes;
  const mismatches = [
    ...sent
      .filter((mode) => !covers(inputModes, mode))
      .map((mode) => `the card does not list ${mode} among its input modes`),
    ...(parts.some((part) => modeOf(part) === undefined)
      ? ['a file was sent without mime_type, so it cannot be compared with the input modes of the card']
      : []),
    ...(wanted.length > 0 && !wanted.some((mode) => covers(outputModes, mode))
      ? ['the card lists none of the accepted output modes']
      : []),
    ...(known !== undefined && follow_updates === true && capabilities.streaming !== true
      ? ['follow_updates was requested, but the card does not declare streaming']
      : []),
    ...(known !== undefined &&
    push_notification_config !== undefined &&
    capabilities.pushNotifications !== true
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
      ...(skillInputs.length > 0 && { skill_input_modes: firstOf(skillInputs) }),
      ...(skillOutputs.length > 0 && { skill_output_modes: firstOf(skillOutputs) }),
      streaming: capabilities.streaming ?? null,
      push_notifications: capabilities.pushNotifications ?? null,
    },
    mismatches,
  };
}

function firstOf(modes: readonly string[]): string[] {
  return [...new Set(modes)].slice(0, 20).map((mode) => shorten(mode, 100));
}

/** Undefined for a file whose media type is not given. */
function modeOf(part: RequestPart): string | undefined {
  if (part.kind === 'text') return 'text/plain';
  return part.kind === 'data' ? 'application/json' : part.mime_type;
}

/** A card without modes, or with a wildcard, accepts everything. */
function covers(modes: ReadonlySet<string>, mode: string): boolean {
  const [family = ''] = mode.split('/');
  // Agents of A2A 0.3 often declare `text` alone.
  const covering = [mode, family, `${family}/*`, '*/*'];
  return modes.size === 0 || covering.some((each) => modes.has(each));
}
