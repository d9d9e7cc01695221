import { isTerminal, type JsonObject } from '@holdword/protocol';
import type { Owner } from '@holdword/runtime';
import type { HubContext, HubPart } from '../hub-part.ts';
import type { Identity } from '../identity/identity.ts';
import { HubError } from '../wire/hub-error.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { firstText } from '../wire/read-fields.ts';
import { operationContext } from '../wire/request-context.ts';
import { artifactsOf, filesOf, taskFields } from './task-fields.ts';

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
      const { id, owner, isOther } = await findTask(parts, params, identity);
      // A successor needs the files of the messages as well.
      const isHanded = owner !== identity.owner;
      const task = await context.operations.getTask(
        { id, ...(!isHanded && { historyLength: 0 }) },
        operationContext(owner, requestContext),
      );
      const files = isHanded ? filesOf(task) : [];
      const fields = taskFields({ ...task, artifacts: [...artifactsOf(task), ...files] });
      if (!isOther) return { ...fields, ...(await describeTask(parts, id, identity)) };
      if (artifactsOf(task).length + files.length === 0) throw taskNotFound();
      const { messages: _words, ...shown } = fields;
      return shown;
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
      const { id, owner, isOther } = await findTask(parts, params, identity);
      if (isOther) throw taskNotFound();
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
): Promise<{ id: string; owner: Owner; isOther: boolean }> {
  const taskId = firstText(params, [...TASK_FIELDS, 'id']);
  for (const part of parts) {
    const handed = await part.handedTask?.(taskId, params, identity);
    if (handed !== undefined) return { id: handed.taskId, owner: handed.owner, isOther: handed.isOther };
  }
  return { id: taskId ?? '', owner: identity.owner, isOther: false };
}

function taskNotFound(): HubError {
  return new HubError('DELX-A2A-1011', 'Task not found.', {
    hint: 'Send the id of the task that was handed over, or of one whose artifacts the packet names.',
    details: { reason: 'task_not_found' },
  });
}

const TASK_FIELDS = ['task_id', 'taskId'];
const HANDOFF_FIELDS = ['handoff_id', 'handoffId'];

/** A task that was handed over is named well enough by its hand-off. */
function requireTaskId(params: JsonObject): void {
  if (firstText(params, [...TASK_FIELDS, ...HANDOFF_FIELDS]) !== undefined) return;
  throw new HubError('DELX-A2A-1010', 'task_id is missing.', {
    hint: 'Send the id from an earlier answer as task_id.',
    details: { field: 'task_id' },
  });
}

/** Whether the request is plain A2A, where the task id is called `id`. A successor may call it so, too. */
function isStandardTaskCall(params: JsonObject): boolean {
  const isOfHub = firstText(params, [...TASK_FIELDS, ...HANDOFF_FIELDS]) !== undefined;
  return typeof params['id'] === 'string' && !isOfHub;
}
