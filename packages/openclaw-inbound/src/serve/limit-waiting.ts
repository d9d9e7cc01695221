import type { Operations } from '@holdword/runtime';
import { changeCall } from './change-call.ts';

/** The same operations, whose blocking send answers with the task as it is once it has waited long enough. */
export function limitWaiting(operations: Operations, milliseconds: number): Operations {
  return {
    ...operations,
    sendMessage: (request, call) => {
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(milliseconds)]);
      return operations.sendMessage(request, changeCall(call, { signal }));
    },
  };
}
