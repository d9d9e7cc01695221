import { isTerminal, type JsonObject } from '@holdword/protocol';
import type { Owner } from '@holdword/runtime';
import type { HubContext, HubPart } from '../hub-part.ts';
import type { Identity } from '../identity/identity.ts';
import { HubError } from '../wire/hub-error.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { firstText } from '../wire/read-fields.ts';
import { operationContext } from '../wire/request-context.ts';
import { taskFields } from './task-fields.ts';

/** `tasks/get`: returns the current state of the task of an earlier message. */
export function tasksGet(context: HubContext, parts: readonly HubPart[]): HubMethod {
  return {
    name: 'tasks/get',
    spec: {
      description: 'Returns the current state of the task of an earlier message.',
      required: ['task_id'],
      accepts: ['task_id', 'handoff_id', 'lease_token'],
    },
    isStandard: isStandardTaskCall,
    async handle(params, requestContext) {
      requireTaskId(params);
      const identity = await context.identities.require(requestContext, params);
      const { id, owner } = await findTask(parts, params, identity);
      const task = await context.operations.getTask(
        { id, historyLength: 0 },
        operationContext(owner, requestContext),
      );
      return { ...taskFields(task), ...(await describeTask(parts, id, identity)) };
    },
  };
}

/** `tasks/cancel`: cancels the task of an earlier message. */
export function tasksCancel(context: HubContext, parts: readonly HubPart[]): HubMethod {
  return {
    name: 'tasks/cancel',
    spec: {
      description:
        'Cancels the task of an earlier message, or with handoff_id and lease_token a task that was handed over to the caller.',
      required: ['task_id'],
      accepts: ['task_id', 'handoff_id', 'lease_token'],
    },
    isStandard: isStandardTaskCall,
    async handle(params, requestContext) {
      requireTaskId(params);
      const identity = await context.identities.require(requestContext, params);
      const { id, owner } = await findTask(parts, params, identity);
      const inner = operationContext(owner, requestContext);
      const { state } = (await context.operations.getTask({ id, historyLength: 0 }, inner)).status;
      if (state === 'TASK_STATE_CANCELED') {
        throw new HubError('DELX-A2A-1013', 'The task is already canceled.', {
          hint: 'No further action is needed.',
        });
      }
      if (isTerminal(state)) {
        throw new HubError('DELX-A2A-1012', 'The task has ended and cannot be canceled.', {
          hint: 'Read its answer with tasks/get.',
        });
      }
      if (owner === identity.owner) await requireDriver(parts, id, identity.agentId);
      const canceled = taskFields(await context.operations.cancelTask({ id }, inner));
      return { ...canceled, ...(await describeTask(parts, id, identity)) };
    },
  };
}

/** Throws if the caller's own task is held by another agent. */
export async function requireDriver(
  parts: readonly HubPart[],
  taskId: string,
  agentId: string,
): Promise<void> {
  for (const part of parts) await part.requireDriver?.(taskId, agentId);
}

async function describeTask(
  parts: readonly HubPart[],
  taskId: string,
  identity: Identity,
): Promise<JsonObject> {
  const fields = await Promise.all(parts.map(async (part) => part.describeTask?.(taskId, identity)));
  return Object.assign({}, ...fields) as JsonObject;
}

/** The task that a request names and the owner to act as: the caller, unless the task was handed over to it. */
async function findTask(
  parts: readonly HubPart[],
  params: JsonObject,
  identity: Identity,
): Promise<{ id: string; owner: Owner }> {
  const taskId = firstText(params, TASK_FIELDS);
  for (const part of parts) {
    const handed = await part.handedTask?.(taskId, params, identity);
    if (handed !== undefined) return { id: handed.taskId, owner: handed.owner };
  }
  return { id: taskId ?? '', owner: identity.owner };
}

const TASK_FIELDS = ['task_id', 'taskId'];

/** A task that was handed over is named well enough by its hand-off. */
function requireTaskId(params: JsonObject): void {
  if (firstText(params, [...TASK_FIELDS, 'handoff_id', 'handoffId']) !== undefined) return;
  throw new HubError('DELX-A2A-1010', 'task_id is missing.', {
    hint: 'Send the id from an earlier answer as task_id.',
    details: { field: 'task_id' },
  });
}

/** Whether the request is plain A2A, where the task id is called `id`. */
function isStandardTaskCall(params: JsonObject): boolean {
  return typeof params['id'] === 'string' && firstText(params, TASK_FIELDS) === undefined;
}
