import { A2AError, IDEMPOTENCY_EXTENSION, type Message } from '@holdword/protocol';
import type { RequestContext, Operations } from '@holdword/runtime';
import { isUnguessable } from '../auth/session-identity.ts';
import { changeRequestContext } from './change-request-context.ts';

/**
 * Isolates anonymous callers, who share one owner, from each other: a task can only be reached by its id, which cannot be
 * guessed (J9).
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
        'Listing tasks requires authentication. Send credentials, or get a task by its id.',
      );
    },
  };
}

/** With a guessable idempotency key, one anonymous caller could get the task of another. */
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
