import type { TimeLimit } from '@holdword/client/internal';
import type { RemoteAgentRequest } from '../contract.ts';
import type { BackgroundWork } from '../calls/background-work.ts';
import { openRemoteCall, type RemoteCall } from '../calls/remote-call.ts';
import type { OutboundConfig } from '../config.ts';
import { validationError } from '../remote-agent-error.ts';
import { credentialIssue } from '../request/check-request.ts';
import type { Outcome } from '../results/outcome.ts';
import { updateReporter, type OnUpdate } from '../results/update-reporter.ts';
import type { MessageIds } from '../state/message-ids.ts';
import type { ReceivedFiles } from '../state/received-files.ts';
import type { StateStore } from '../state/state-store.ts';
import type { TargetSignature } from '../state/target-signature.ts';
import type { TaskHandles } from '../state/task-handles.ts';
import type { TargetCatalog } from '../targets/target-catalog.ts';
import type { TargetConnections } from '../targets/target-connections.ts';
import type { Target } from '../targets/target.ts';

/** One call of the tool with a validated request. */
export interface ToolCall {
  readonly request: RemoteAgentRequest;
  readonly toolCallId: string;
  readonly sessionKey: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onUpdate: OnUpdate | undefined;
}

/** Rejects with a RemoteAgentError; any other error is a bug in the plugin. */
export type ActionHandler = (call: ToolCall, services: Services) => Promise<Outcome>;

/** What all actions share for the lifetime of the tool. */
export interface Services {
  readonly config: OutboundConfig;
  readonly state: StateStore;
  readonly catalog: TargetCatalog;
  readonly connections: TargetConnections;
  readonly handles: TaskHandles;
  readonly signature: TargetSignature;
  readonly messageIds: MessageIds;
  readonly files: ReceivedFiles;
  readonly background: BackgroundWork;
}

/**
 * Opens the call of an action to a target. It reports its progress to the host.
 *
 * @throws RemoteAgentError if a service parameter would replace the credentials of the target.
 */
export function openCall(
  { request, onUpdate }: ToolCall,
  target: Target,
  limit: TimeLimit,
  { connections }: Services,
): RemoteCall {
  const { service_parameters: serviceParameters = {} } = request;
  const reserved = connections.reservedParameter(target, serviceParameters);
  if (reserved !== undefined) throw validationError([credentialIssue(reserved)]);
  return openRemoteCall(connections, {
    target,
    limit,
    serviceParameters,
    onEvent: updateReporter(request.action, target, onUpdate),
  });
}
