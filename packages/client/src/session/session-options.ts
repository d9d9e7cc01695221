import { A2AError, type ListTasksRequest, type V03Event } from '@holdword/protocol';
import { decodeRequest, describeValue, isObject, OPERATIONS } from '@holdword/protocol/internal';
import {
  checkArgument,
  checkOptions,
  hasMethods,
  isAnything,
  isFunction,
  isPositiveSeconds,
  isSignal,
  isText,
  type OptionCheck,
  orNull,
} from '../basics/check-options.ts';
import type { FileStore } from '../files/file-store.ts';
import type { TaskStore } from '../stores/task-store.ts';

/** Options of {@link A2ASession}. */
export interface A2ASessionOptions {
  /**
   * Stores the tasks that the session has seen.
   * @default `new InMemoryTaskStore()`
   */
  taskStore?: TaskStore;
  /**
   * Stores the files of artifacts. Without it, files are not saved.
   * @default null
   */
  fileStore?: FileStore | null;
  /**
   * Timeout of `sendMessage`, in seconds.
   * @default 60
   */
  sendMessageTimeout?: number;
  /**
   * Timeout of `getTask` and of all other requests, in seconds.
   * @default 60
   */
  getTaskTimeout?: number;
  /**
   * Maximum interval between polls of an agent that does not stream, in seconds.
   * @default 5
   */
  getTaskPollInterval?: number;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. The agent keeps working. */
  signal?: AbortSignal | undefined;
  /** Timeout in seconds. Overrides the session's timeout. */
  timeout?: number | null | undefined;
}

/** Options of a call that follows a task. */
export interface FollowCallOptions extends CallOptions {
  /** Called with the task as soon as it is known, then for every update while it runs. */
  onUpdate?: ((update: V03Event) => void | Promise<void>) | undefined;
  /** Poll interval in seconds. Overrides the session's interval. */
  pollInterval?: number | null | undefined;
}

/** Options of `sendMessage`. */
export interface SendMessageOptions extends FollowCallOptions {
  /** Continues the conversation with this context id. Without it, a new conversation starts. */
  contextId?: string | null | undefined;
  /** Sends the message to this task, for example to answer its question. */
  taskId?: string | null | undefined;
  /**
   * Makes the call repeatable if the agent has the idempotency extension: a second call with the same id returns the same task.
   * Other agents start the work again. Without it, an id is generated.
   */
  messageId?: string | undefined;
}

const OPTION_CHECKS = {
  taskStore: hasMethods(['save', 'load'], "a task store, such as new JSONTaskStore('./tasks')"),
  fileStore: orNull(
    hasMethods(['save', 'get', 'delete'], "a file store, such as new LocalFileStore('./files')"),
  ),
  sendMessageTimeout: isPositiveSeconds,
  getTaskTimeout: isPositiveSeconds,
  getTaskPollInterval: isPositiveSeconds,
} satisfies Record<keyof A2ASessionOptions, unknown>;

const CALL_CHECKS = {
  signal: isSignal,
  timeout: orNull(isPositiveSeconds),
} satisfies Record<keyof CallOptions, unknown>;

const FOLLOW_CHECKS = {
  ...CALL_CHECKS,
  onUpdate: isFunction,
  pollInterval: orNull(isPositiveSeconds),
} satisfies Record<keyof FollowCallOptions, unknown>;

const SEND_CHECKS = {
  ...FOLLOW_CHECKS,
  contextId: orNull(isText),
  taskId: orNull(isText),
  messageId: isText,
} satisfies Record<keyof SendMessageOptions, unknown>;

/** Throws a TypeError if an argument of the constructor is unknown or invalid. */
export function checkSession(agents: unknown, options: unknown): void {
  const call = 'new A2ASession(agents, options)';
  checkArgument(call, 'agents', agents, hasMethods(['connect', 'getAgents'], 'new A2AAgents(…)'));
  checkOptions(call, options, OPTION_CHECKS);
}

/** A method of a session, as a reader writes it, and its options. */
interface SessionCall {
  readonly call: string;
  readonly checks: Readonly<Record<string, OptionCheck>>;
}

export const SEND_CALL: SessionCall = {
  call: 'sendMessage(agentId, message, options)',
  checks: SEND_CHECKS,
};
export const GET_CALL: SessionCall = { call: 'getTask(agentId, taskId, options)', checks: FOLLOW_CHECKS };
export const CANCEL_CALL: SessionCall = { call: 'cancelTask(agentId, taskId, options)', checks: CALL_CHECKS };
export const LIST_CALL: SessionCall = { call: 'listTasks(agentId, query, options)', checks: CALL_CHECKS };

/** Throws an A2AError if the id of a task is missing. JavaScript does not notice a forgotten argument. */
export function checkTaskId({ call }: SessionCall, taskId: unknown): void {
  if (typeof taskId === 'string' && taskId !== '') return;
  throw new A2AError(
    'INVALID_PARAMS',
    `${call}: taskId: expected the id of a task, found ${describeValue(taskId)}.`,
  );
}

const LIST_QUERY_CHECKS = {
  tenant: isAnything,
  contextId: isAnything,
  status: isAnything,
  pageSize: isAnything,
  pageToken: isAnything,
  historyLength: isAnything,
  statusTimestampAfter: isAnything,
  includeArtifacts: isAnything,
} satisfies Record<keyof ListTasksRequest, OptionCheck>;

/** Throws an A2AError if a field of the query is unknown or invalid: some agents ignore it and return all tasks. */
export function checkListQuery(query: unknown): void {
  checkCall({ call: LIST_CALL.call, checks: LIST_QUERY_CHECKS }, query);
  decodeRequest(OPERATIONS.listTasks.request, query);
}

/** Throws an A2AError if this is not what a session returned. */
export function checkAnswer(answer: unknown): void {
  if (isObject(answer) && (answer['kind'] === 'task' || answer['kind'] === 'message')) return;
  throw new A2AError(
    'INVALID_PARAMS',
    `getSavedFiles(agentId, answer): answer: expected a task or a message that the session returned, found ${describeValue(answer)}.`,
  );
}

/** Throws an A2AError if an option of a call is unknown or invalid. */
export function checkCall({ call, checks }: SessionCall, options: unknown): void {
  try {
    checkOptions(call, options, checks);
  } catch (error) {
    throw new A2AError('INVALID_PARAMS', error instanceof Error ? error.message : String(error));
  }
}
