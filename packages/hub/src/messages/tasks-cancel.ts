import { isTerminal } from '@holdword/protocol';
import { taskFields } from '../contracts/task-fields.ts';
import type { HubContext } from '../hub-part.ts';
import { HubError } from '../wire/hub-error.ts';
import type { HubMethod } from '../wire/hub-method.ts';
import { operationContext } from '../wire/request-context.ts';
import { isStandardTaskCall, taskIdOf } from './task-id-of.ts';

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
