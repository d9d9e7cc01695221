import {
  A2AError,
  IDEMPOTENCY_EXTENSION,
  type Message,
  type OperationName,
  type Part,
  type SendMessageRequest,
} from '@holdword/protocol';
import { Deadline, invalidFields, OPERATION_NAMES, OPERATIONS } from '@holdword/protocol/internal';
import type { Operations, RequestContext } from '@holdword/runtime';
import { isUnguessable } from '../auth/session-identity.ts';
import type { AccountConfig } from '../config/account-config.ts';
import { preserveLegacyBehavior } from './preserve-legacy-behavior.ts';

/** The operations of an account, adapted to its configuration. */
export function accountOperations(
  operations: Operations,
  { features, replyTimeoutMilliseconds }: Pick<AccountConfig, 'features' | 'replyTimeoutMilliseconds'>,
): Operations {
  const guarded = guardAnonymous(preserveLegacyBehavior(operations));
  const checked = features.files ? guarded : rejectFiles(guarded);
  return replyTimeoutMilliseconds === undefined ? checked : limitBlocking(checked, replyTimeoutMilliseconds);
}

/** The operations that an account does not offer. */
export function disabledOperations({
  features,
}: Pick<AccountConfig, 'features'>): ReadonlySet<OperationName> {
  return new Set(
    features.push
      ? []
      : OPERATION_NAMES.filter((name) => OPERATIONS[name].capability === 'pushNotifications'),
  );
}

/**
 * Isolates anonymous callers, who share one owner, from each other: a task can only be reached by its id, which cannot be
 * guessed (J9).
 */
function guardAnonymous(operations: Operations): Operations {
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

/** Rejects messages with files, for agents that accept only text and data. */
function rejectFiles(operations: Operations): Operations {
  return {
    ...operations,
    sendMessage: async (request, context) => {
      rejectFileParts(request);
      return operations.sendMessage(request, context);
    },
    sendStreamingMessage: async (request, context) => {
      rejectFileParts(request);
      return operations.sendStreamingMessage(request, context);
    },
  };
}

function rejectFileParts({ message }: SendMessageRequest): void {
  const fields = message.parts.flatMap((part, index) =>
    isFile(part)
      ? [{ field: `message.parts[${index}]`, description: 'expected a text or data part, found a file' }]
      : [],
  );
  if (fields.length > 0) throw invalidFields(fields);
}

function isFile({ raw, url }: Part): boolean {
  return raw !== undefined || url !== undefined;
}

/** Limits how long a blocking send waits; after that it returns the current task. */
export function limitBlocking(operations: Operations, milliseconds: number): Operations {
  return {
    ...operations,
    sendMessage: async (request, context) => {
      using deadline = new Deadline(milliseconds);
      const signal = AbortSignal.any([context.signal, deadline.signal]);
      return await operations.sendMessage(request, changeRequestContext(context, { signal }));
    },
  };
}

/** The same request with some of its context replaced. Its signal is created on first use, so it must not be read here. */
function changeRequestContext(
  context: RequestContext,
  changes: Partial<Pick<RequestContext, 'extensions' | 'idempotencyKey' | 'signal'>>,
): RequestContext {
  const { owner, version, extensions, idempotencyKey, resumeAfter, trace, readsPieces } = context;
  return {
    owner,
    version,
    extensions,
    idempotencyKey,
    resumeAfter,
    trace,
    readsPieces,
    ...changes,
    get signal() {
      return changes.signal ?? context.signal;
    },
  };
}
