import type { Operations } from '@holdword/runtime';
import { changeRequestContext } from './change-request-context.ts';

/** The same operations, whose blocking send answers with the task as it is once it has waited long enough. */
export function limitWaiting(operations: Operations, milliseconds: number): Operations {
  return {
    ...operations,
    sendMessage: (request, context) => {
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(milliseconds)]);
      return operations.sendMessage(request, changeRequestContext(context, { signal }));
    },
  };
}
