import { A2AError, IDEMPOTENCY_EXTENSION, type Message } from '@holdword/protocol';
import type { RequestContext, Operations } from '@holdword/runtime';
import { isUnguessable } from '../auth/is-unguessable.ts';
import { changeRequestContext } from './change-request-context.ts';

/**
 * The same operations where callers without a credential, who all own their tasks together, do not find each other's:
 * a task is reached by its id, which cannot be guessed, and by nothing else (J9).
 */
export function guardAnonymous(operations: Operations): Operations {
  return {
    ...operations,
    sendMessage: (request, context) =>
      operations.sendMessage(request, withoutGuessableKey(context, request.message)),
    sendStreamingMessage: (request, context) =>
      operations.sendStreamingMessage(request, withoutGuessableKey(context, request.message)),
    listTasks: async (request, context) => {
      if (context.owner.authenticated) return operations.listTasks(request, context);
      throw new A2AError(
        'UNAUTHENTICATED',
        'Tasks are listed to authenticated callers alone. Send a credential, or get a task by its id.',
      );
    },
  };
}

/** A key that two strangers may both use would give one of them the task of the other. */
function withoutGuessableKey(context: RequestContext, { messageId }: Message): RequestContext {
  if (context.owner.authenticated) return context;
  const key =
    context.idempotencyKey ?? (context.extensions.has(IDEMPOTENCY_EXTENSION) ? messageId : undefined);
  if (key === undefined || isUnguessable(key)) return context;
  const extensions = new Set(
    [...context.extensions].filter((extension) => extension !== IDEMPOTENCY_EXTENSION),
  );
  return changeRequestContext(context, { extensions, idempotencyKey: undefined });
}
