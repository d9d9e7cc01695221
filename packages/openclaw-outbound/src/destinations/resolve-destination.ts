import { buildContinuation } from '../continuation/build-continuation.ts';
import { expiredHandle, unknownHandle } from '../handles/handle-errors.ts';
import type { HandleEntry } from '../handles/handle-entry.ts';
import type { RemoteAgentRequest, RequestContinuation } from '../request/request.ts';
import { runtimeIssue } from '../request/validation-issue.ts';
import { validationError } from '../results/validation-error.ts';
import type { Services } from '../services.ts';
import { addressKey, type Target } from '../targets/target.ts';
import type { Destination } from './destination.ts';

type Guide = Pick<Services, 'catalog' | 'handles' | 'signature' | 'state'>;

/**
 * Finds out where a request goes, by its continuation, its handle, its target or the default target. Rejects with a
 * RemoteAgentError when there is no such place, when it may not be called, or when the fields of the request disagree.
 */
export async function resolveDestination(request: RemoteAgentRequest, guide: Guide): Promise<Destination> {
  const { continuation, task_handle, task_id: taskId, context_id: contextId } = request;
  if (continuation !== undefined) return byContinuation(continuation, guide);
  if (task_handle !== undefined) return byHandle(task_handle, request, guide);
  const target = explicitTarget(request, guide) ?? guide.catalog.defaultTarget;
  if (target !== undefined) return { target, taskId, contextId };
  throw validationError([runtimeIssue('anyOf', `${request.action} requires a target`)]);
}

/** The alias counts where both are given. */
function explicitTarget(
  { target_alias, target_url }: RemoteAgentRequest,
  { catalog }: Guide,
): Target | undefined {
  if (target_alias !== undefined) return catalog.byAlias(target_alias);
  return target_url === undefined ? undefined : catalog.byUrl(target_url);
}

async function byContinuation(
  { target: given, task, conversation }: RequestContinuation,
  { catalog, signature, handles }: Guide,
): Promise<Destination> {
  const address = {
    baseUrl: given.target_url,
    cardPath: given.card_path,
    preferredTransports: given.preferred_transports,
  };
  const target = catalog.at(address, given.target_alias);
  if (target.configured === undefined && !catalog.allowsOtherUrls) {
    const ours = given.signature !== undefined && (await signature.isOurs(target, given.signature));
    if (!ours) {
      throw catalog.refuseUrl(
        target.baseUrl,
        'This continuation leads to a target that is not configured, and it does not carry our signature.',
      );
    }
  }
  // A handle that is gone is no loss here: the continuation itself says which task it is.
  const found = task?.task_handle === undefined ? undefined : await handles.look(task.task_handle);
  const known = found?.isAlive === true ? found.entry : undefined;
  if (known !== undefined) checkAgreement(known, { target, taskId: task?.task_id });
  return { target, taskId: task?.task_id, contextId: conversation?.context_id ?? known?.contextId, known };
}

async function byHandle(handle: string, request: RemoteAgentRequest, guide: Guide): Promise<Destination> {
  const found = await guide.handles.look(handle);
  if (found === undefined) throw unknownHandle(handle);
  const { entry, isAlive } = found;
  const target = guide.catalog.at(entry.address, entry.alias);
  if (!isAlive) {
    const signature = target.configured === undefined ? await guide.signature.sign(target) : undefined;
    throw expiredHandle(entry, {
      isDurable: guide.state.isDurable,
      continuation: buildContinuation({
        target,
        signature,
        task: { id: entry.taskId },
        contextId: entry.contextId,
      }),
    });
  }
  checkAgreement(entry, {
    target: explicitTarget(request, guide),
    taskId: request.task_id,
    contextId: request.context_id,
  });
  return { target, taskId: entry.taskId, contextId: entry.contextId, known: entry };
}

/** What else a request says must be what its handle says. */
function checkAgreement(
  entry: HandleEntry,
  given: { target?: Target | undefined; taskId?: string | undefined; contextId?: string | undefined },
): void {
  const conflicts = [
    ...(given.target !== undefined && addressKey(given.target) !== addressKey(entry.address)
      ? [{ field: 'target', task_handle: entry.address.baseUrl, request: given.target.baseUrl }]
      : []),
    ...(given.taskId !== undefined && given.taskId !== entry.taskId
      ? [{ field: 'task_id', task_handle: entry.taskId, request: given.taskId }]
      : []),
    ...(given.contextId !== undefined && entry.contextId !== undefined && given.contextId !== entry.contextId
      ? [{ field: 'context_id', task_handle: entry.contextId, request: given.contextId }]
      : []),
  ];
  if (conflicts.length === 0) return;
  throw validationError(
    conflicts.map(({ field }) =>
      runtimeIssue('const', `"${field}" does not match the task that task_handle stands for`, { field }),
    ),
    { conflicts, hint: 'Leave the field out, or use the handle of the task that you mean.' },
  );
}
