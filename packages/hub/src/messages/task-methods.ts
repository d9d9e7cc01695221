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
      const id = taskIdOf(params);
      const identity = await context.identities.require(requestContext, params);
      const owner = await findTaskOwner(parts, id, params, identity);
      return taskFields(
        await context.operations.getTask({ id, historyLength: 0 }, operationContext(owner, requestContext)),
      );
    },
  };
}

/** `tasks/cancel`: cancels the task of an earlier message. */
export function tasksCancel(context: HubContext): HubMethod {
  return {
    name: 'tasks/cancel',
    spec: {
      description: 'Cancels the task of an earlier message.',
      required: ['task_id'],
      accepts: ['task_id'],
    },
    isStandard: isStandardTaskCall,
    async handle(params, requestContext) {
      const id = taskIdOf(params);
      const { owner } = await context.identities.require(requestContext, params);
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
      return taskFields(await context.operations.cancelTask({ id }, inner));
    },
  };
}

/** The owner to read a task as: the caller, unless a part of the hub lets the caller read another agent's task. */
async function findTaskOwner(
  parts: readonly HubPart[],
  taskId: string,
  params: JsonObject,
  identity: Identity,
): Promise<Owner> {
  for (const part of parts) {
    const owner = await part.ownerOfTask?.(taskId, params, identity);
    if (owner !== undefined) return owner;
  }
  return identity.owner;
}

const TASK_FIELDS = ['task_id', 'taskId'];

function taskIdOf(params: JsonObject): string {
  const taskId = firstText(params, TASK_FIELDS);
  if (taskId !== undefined) return taskId;
  throw new HubError('DELX-A2A-1010', 'task_id is missing.', {
    hint: 'Send the id from an earlier answer as task_id.',
    details: { field: 'task_id' },
  });
}

/** Whether the request is plain A2A, where the task id is called `id`. */
function isStandardTaskCall(params: JsonObject): boolean {
  return typeof params['id'] === 'string' && firstText(params, TASK_FIELDS) === undefined;
}
