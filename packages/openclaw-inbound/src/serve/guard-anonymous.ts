import { A2AError, IDEMPOTENCY_EXTENSION, type Message } from '@holdword/protocol';
import type { Call, Operations } from '@holdword/runtime';
import { isUnguessable } from '../auth/is-unguessable.ts';
import { changeCall } from './change-call.ts';

/**
 * The same operations where callers without a credential, who all own their tasks together, do not find each other's:
 * a task is reached by its id, which cannot be guessed, and by nothing else (J9).
 */
export function guardAnonymous(operations: Operations): Operations {
  return {
    ...operations,
    sendMessage: (request, call) =>
      operations.sendMessage(request, withoutGuessableKey(call, request.message)),
    sendStreamingMessage: (request, call) =>
      operations.sendStreamingMessage(request, withoutGuessableKey(call, request.message)),
    listTasks: async (request, call) => {
      if (call.owner.authenticated) return operations.listTasks(request, call);
      throw new A2AError(
        'UNAUTHENTICATED',
        'Tasks are listed to authenticated callers alone. Send a credential, or get a task by its id.',
      );
    },
  };
}

/** A key that two strangers may both use would give one of them the task of the other. */
function withoutGuessableKey(call: Call, { messageId }: Message): Call {
  if (call.owner.authenticated) return call;
  const key = call.idempotencyKey ?? (call.extensions.has(IDEMPOTENCY_EXTENSION) ? messageId : undefined);
  if (key === undefined || isUnguessable(key)) return call;
  const extensions = new Set([...call.extensions].filter((extension) => extension !== IDEMPOTENCY_EXTENSION));
  return changeCall(call, { extensions, idempotencyKey: undefined });
}
