import { taskFields } from '../contracts/task-fields.ts';
import type { HubContext, HubPart } from '../hub-part.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { operationContext } from '../wire/request-context.ts';
import { findTaskOwner } from './find-task-owner.ts';
import { isStandardTaskCall, taskIdOf } from './task-id-of.ts';

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
