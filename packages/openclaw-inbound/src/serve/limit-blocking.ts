import type { Operations } from '@holdword/runtime';
import { changeRequestContext } from './change-request-context.ts';

/** Limits how long a blocking send waits; after that it returns the current task. */
export function limitBlocking(operations: Operations, milliseconds: number): Operations {
  return {
    ...operations,
    sendMessage: (request, context) => {
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(milliseconds)]);
      return operations.sendMessage(request, changeRequestContext(context, { signal }));
    },
  };
}
