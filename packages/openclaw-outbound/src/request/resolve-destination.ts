import type { RemoteAgentRequest, RequestContinuation } from '../contract.ts';
import { RemoteAgentError, runtimeIssue, validationError } from '../remote-agent-error.ts';
import { plausibleId, shownId } from '../remote-ids.ts';
import type { StateStore } from '../state/state-store.ts';
import type { HandleEntry } from '../state/task-handles.ts';
import type { TargetCatalog } from '../targets/target-catalog.ts';
import { addressKey, type Target } from '../targets/target.ts';
import { buildContinuation, type ContinuationServices } from './continuation.ts';

/** Where a request goes: an agent, and optionally a task or a conversation of that agent. */
export interface Destination {
  readonly target: Target;
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
  /** What earlier responses said about the task. */
  readonly known?: HandleEntry | undefined;
  /** The request continues a task that has ended, whose agent has named no conversation. */
  readonly startsOver?: boolean | undefined;
}

interface ResolverServices extends ContinuationServices {
  readonly catalog: TargetCatalog;
  readonly state: StateStore;
}

/**
 * Resolves where a request goes, from its continuation, task handle, target or the default target. Rejects with a
 * RemoteAgentError if the target is unknown or not allowed, or if fields of the request contradict each other.
 */
export async function resolveDestination(
  request: RemoteAgentRequest,
  services: ResolverServices,
): Promise<Destination> {
  const { continuation, task_handle, task_id: taskId, context_id: contextId } = request;
  if (continuation !== undefined) return byContinuation(continuation, services);
  if (task_handle !== undefined) return byHandle(task_handle, request, services);
  const target = explicitTarget(request, services) ?? services.catalog.defaultTarget;
  if (target !== undefined) return { target, taskId, contextId };
  throw validationError([runtimeIssue('anyOf', `${request.action} requires a target`)]);
}

/** Where a request about a task goes. */
export interface TaskDestination extends Destination {
  readonly taskId: string;
}

/** Like {@link resolveDestination}, for actions on a task. */
export async function resolveTask(
  request: RemoteAgentRequest,
  services: ResolverServices,
): Promise<TaskDestination> {
  const destination = await resolveDestination(request, services);
  const { taskId } = destination;
  if (taskId !== undefined) return { ...destination, taskId };
  throw validationError([runtimeIssue('anyOf', `${request.action} requires a task`)]);
}

/** The alias takes precedence over the URL. */
function explicitTarget(
  { target_alias, target_url }: RemoteAgentRequest,
  { catalog }: ResolverServices,
): Target | undefined {
  if (target_alias !== undefined) return catalog.byAlias(target_alias);
  return target_url === undefined ? undefined : catalog.byUrl(target_url);
}

async function byContinuation(
  { target: given, task, conversation }: RequestContinuation,
  { catalog, signature, handles }: ResolverServices,
): Promise<Destination> {
  const address = {
    baseUrl: given.target_url,
    cardPath: given.card_path,
    preferredTransports: given.preferred_transports,
  };
  const target = catalog.at(address, given.target_alias);
  if (target.configured === undefined && !catalog.allowsUnconfiguredUrls) {
    const isSigned = given.signature !== undefined && (await signature.verify(target, given.signature));
    if (!isSigned) {
      throw catalog.rejectedUrl(
        target.baseUrl,
        'The continuation points to a target that is not configured, and its signature is missing or invalid.',
      );
    }
  }
  // An unknown or expired handle is fine here: the continuation contains the task id.
  const found = task?.task_handle === undefined ? undefined : await handles.find(task.task_handle);
  const known = found?.isAlive === true ? found.entry : undefined;
  if (known !== undefined) checkAgreement(known, { target, taskId: task?.task_id });
  return { target, taskId: task?.task_id, contextId: conversation?.context_id ?? known?.contextId, known };
}

async function byHandle(
  handle: string,
  request: RemoteAgentRequest,
  services: ResolverServices,
): Promise<Destination> {
  const found = await services.handles.find(handle);
  if (found === undefined || found.entry.taskId === '') throw unknownHandle(handle);
  const { entry, isAlive } = found;
  const target = services.catalog.at(entry.address, entry.alias);
  if (!isAlive) {
    throw expiredHandle(entry, {
      isDurable: services.state.isDurable,
      continuation: buildContinuation({
        target,
        signature: await services.signature.signUnconfigured(target),
        task: { id: entry.taskId },
        contextId: plausibleId(entry.contextId),
      }),
    });
  }
  checkAgreement(entry, {
    target: explicitTarget(request, services),
    taskId: request.task_id,
    contextId: request.context_id,
  });
  return { target, taskId: entry.taskId, contextId: entry.contextId, known: entry };
}

/** Explicit fields of a request must match its task handle. */
function checkAgreement(
  entry: HandleEntry,
  given: { target?: Target | undefined; taskId?: string | undefined; contextId?: string | undefined },
): void {
  const conflicts = [
    ...(given.target !== undefined && addressKey(given.target) !== addressKey(entry.address)
      ? [{ field: 'target', task_handle: entry.address.baseUrl, request: given.target.baseUrl }]
      : []),
    ...(given.taskId !== undefined && given.taskId !== entry.taskId
      ? [{ field: 'task_id', task_handle: shownId(entry.taskId), request: shownId(given.taskId) }]
      : []),
    ...(given.contextId !== undefined && entry.contextId !== undefined && given.contextId !== entry.contextId
      ? [{ field: 'context_id', task_handle: shownId(entry.contextId), request: shownId(given.contextId) }]
      : []),
  ];
  if (conflicts.length === 0) return;
  throw validationError(
    conflicts.map(({ field }) =>
      runtimeIssue('const', `"${field}" does not match the task of task_handle`, { field }),
    ),
    { conflicts, hint: 'Omit the field, or use the handle of the intended task.' },
  );
}

export function unknownHandle(handle: string): RemoteAgentError {
  return new RemoteAgentError('UNKNOWN_TASK_HANDLE', `unknown task handle "${handle}"`, {
    taskHandle: handle,
    suggested_action: 'send',
    hint: 'Pass the persisted continuation or target_alias and task_id, or send the request again.',
  });
}

function expiredHandle(
  { handle, expiresAt, taskId, contextId: kept }: HandleEntry,
  { isDurable, continuation }: { isDurable: boolean; continuation: unknown },
): RemoteAgentError {
  const contextId = plausibleId(kept);
  return new RemoteAgentError('EXPIRED_TASK_HANDLE', `task handle "${handle}" has expired`, {
    taskHandle: handle,
    expiresAt: new Date(expiresAt).toISOString(),
    task_id: taskId,
    ...(contextId !== undefined && { context_id: contextId }),
    continuation,
    retryHint:
      'Retry with the same nested continuation so the plugin can fall back to the persisted target plus taskId, or resend the original request after a restart to obtain a new handle.',
    restartInvalidatesHandles: !isDurable,
    suggested_actions: ['status', 'send'],
    hint: 'Retry with the same nested continuation, or use flat target_alias + task_id only as manual compatibility.',
  });
}
