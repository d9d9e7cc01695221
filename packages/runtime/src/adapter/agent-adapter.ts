import { join, resolve } from 'node:path';
import {
  isA2AError,
  isTerminal,
  type Message,
  type SendMessageConfiguration,
  type SendMessageRequest,
  type Task,
  type TaskPushNotificationConfig,
} from '@holdword/protocol';
import { decodeRequest, sendMessageRequestSchema } from '@holdword/protocol/internal';
import { openMemoryStore, type Store } from '@holdword/store';
import type { AgentKind } from '../agents/agent-kind.ts';
import { toCamelCase } from '../agents/agent-options.ts';
import { newId } from '../engine/new-id.ts';
import { type Log, noopLog } from '../log.ts';
import type { RequestContext } from '../operations/operations.ts';
import { removeTask, retentionOf } from '../engine/retention.ts';
import type { PushOptions } from '../push/push-outbox.ts';
import { startRuntime, type Runtime } from '../runtime.ts';

interface AgentSource {
  readonly kind: AgentKind;
  readonly options: Readonly<Record<string, unknown>>;
  readonly setup: AdapterSetup;
  /** The context of messages that name none; by default each of them starts a new one. */
  readonly contextId?: string;
}

interface StartedAgent {
  readonly runtime: Runtime;
  readonly store: Store;
  /** How the agent is reached, for kinds with more than one transport: `gateway` or `command line`. */
  readonly transport: string | undefined;
}

/** The program that owns the adapter is the only caller. */
const CONTEXT: RequestContext = {
  owner: { tenant: '', caller: 'anonymous', authenticated: false },
  extensions: new Set(),
  signal: new AbortController().signal,
};

/**
 * An agent of this machine as an object: send it messages, get tasks or messages back. `serveAgent` serves it over A2A.
 *
 * Responsible for starting the agent once, on first use, and for stopping it in `close`. Leaves tasks to the runtime, with
 * the same guarantees as for a served agent. Create one with `loadAgent`.
 *
 * @example
 * ```ts
 * const agent = await loadAgent({ adapter: 'exec:wc -w', asyncMode: false });
 * const answer = await agent.handle('How many words are these?');
 * await agent.close();
 * ```
 */
export class AgentAdapter {
  readonly #source: AgentSource;
  #starting: Promise<StartedAgent> | undefined;
  #isClosed = false;

  /** @internal */
  constructor(source: AgentSource) {
    this.#source = source;
  }

  /**
   * Starts the agent, unless it has been started. Rejects if its options are invalid or its program cannot be started.
   * @internal
   */
  start(): Promise<StartedAgent> {
    if (this.#isClosed) return Promise.reject(new Error('The adapter is closed.'));
    this.#starting ??= this.#start().catch((error: unknown) => {
      // What was missing may be there at the next call.
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  /**
   * Sends a message to the agent. By default it returns the task at once while the agent works; poll it with `getTask`, or
   * set up push notifications. With `asyncMode: false` it waits and returns the agent's message, or the task if the agent
   * asks for input.
   *
   * @throws AgentFailedError (code `agent-failed`) with `asyncMode: false` if the agent fails.
   */
  async handle(parameters: SendParameters): Promise<Task | Message> {
    const { runtime } = await this.start();
    const { contextId } = this.#source;
    const isAsync = this.supportsAsyncTasks();
    const request = sendRequest(parameters, { contextId, returnImmediately: isAsync });
    const answer = await runtime.operations.sendMessage(request, CONTEXT);
    if ('message' in answer) return answer.message;
    const { task } = answer;
    if (!isAsync && isTerminal(task.status.state) && task.status.state !== 'TASK_STATE_COMPLETED') {
      throw new AgentFailedError(task);
    }
    return task;
  }

  /** Returns undefined if there is no such task. */
  async getTask(taskId: string): Promise<Task | undefined> {
    const { runtime } = await this.start();
    return ifFound(() => runtime.operations.getTask({ id: taskId }, CONTEXT));
  }

  /** Returns the task after the cancellation. A task that has ended stays as it is. Undefined if there is no such task. */
  async cancelTask(taskId: string): Promise<Task | undefined> {
    const { runtime } = await this.start();
    try {
      return await ifFound(() => runtime.operations.cancelTask({ id: taskId }, CONTEXT));
    } catch (error) {
      if (isA2AError(error) && error.code === 'TASK_NOT_CANCELABLE') return this.getTask(taskId);
      throw error;
    }
  }

  /**
   * Deletes a task that has ended, together with its push configurations. Returns false if there is no such task.
   *
   * @throws Error if the task has not ended.
   */
  async deleteTask(taskId: string): Promise<boolean> {
    const { store } = await this.start();
    const task = await this.getTask(taskId);
    if (task === undefined) return false;
    if (!isTerminal(task.status.state)) {
      throw new Error(
        `Task ${taskId} has not ended: it is in ${task.status.state}. Cancel it first, or wait until it has ended.`,
      );
    }
    return removeTask({ store, retention: retentionOf(store) }, taskId);
  }

  /** Sends the further events of a task to a webhook, instead of the one set before. Returns false if there is no such task. */
  async setPushNotificationConfig(taskId: string, config: PushNotificationConfig): Promise<boolean> {
    const { runtime } = await this.start();
    const id = config.id ?? (await this.getPushNotificationConfig(taskId))?.id ?? 'default';
    const request = { ...withBearerToken(config), taskId, id };
    const created = await ifFound(() =>
      runtime.operations.createTaskPushNotificationConfig(request, CONTEXT),
    );
    return created !== undefined;
  }

  /** Returns the push configuration of a task without its secrets. */
  async getPushNotificationConfig(taskId: string): Promise<PushNotificationConfig | undefined> {
    return (await this.#pushConfigs(taskId))[0];
  }

  /** Removes the push configuration of a task. Returns false if there was none. */
  async deletePushNotificationConfig(taskId: string): Promise<boolean> {
    const { runtime } = await this.start();
    const configs = await this.#pushConfigs(taskId);
    for (const { id = '' } of configs) {
      await runtime.operations.deleteTaskPushNotificationConfig({ taskId, id }, CONTEXT);
    }
    return configs.length > 0;
  }

  /** Whether `handle` returns a task at once, see `asyncMode`. */
  supportsAsyncTasks(): boolean {
    const { asyncMode, async_mode: asyncModeSnakeCase } = this.#source.options;
    return (asyncMode ?? asyncModeSnakeCase) !== false;
  }

  /** Whether push notifications are enabled. */
  supportsPushNotifications(): boolean {
    return this.#source.setup.push !== false;
  }

  /** Stops the agent and all processes it has started. Running turns are interrupted. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const started = await this.#starting?.catch(() => undefined);
    this.#starting = undefined;
    if (started === undefined) return;
    await started.runtime.stop({ graceMilliseconds: 0 });
    if (this.#source.setup.taskStore === undefined) await started.store.close();
  }

  async #start(): Promise<StartedAgent> {
    const { kind, options, setup } = this.#source;
    const { taskStore: store = openMemoryStore(), log = noopLog, dataFolder = '.holdword' } = setup;
    const processFolder = join(resolve(dataFolder), 'processes');
    const { executor, transport } = await kind.open(options, { processFolder, sessions: store, log });
    try {
      const push = setup.push === undefined ? {} : { push: setup.push };
      return { runtime: await startRuntime({ store, executor, log, ...push }), store, transport };
    } catch (error) {
      await executor.close?.();
      throw error;
    }
  }

  async #pushConfigs(taskId: string): Promise<PushNotificationConfig[]> {
    const { runtime } = await this.start();
    const listed = await ifFound(() =>
      runtime.operations.listTaskPushNotificationConfigs({ taskId }, CONTEXT),
    );
    return listed?.configs ?? [];
  }
}

/** Resolves with undefined if there is no such task. */
async function ifFound<Result>(request: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await request();
  } catch (error) {
    if (isA2AError(error) && error.code === 'TASK_NOT_FOUND') return undefined;
    throw error;
  }
}

/**
 * The agent failed, rejected the message or was canceled. The message says why; the task holds the output so far.
 *
 * @example
 * ```ts
 * const agent = await loadAgent({ adapter: 'exec:wc -w', asyncMode: false });
 * try {
 *   await agent.handle('How many words are these?');
 * } catch (error) {
 *   if (!(error instanceof AgentFailedError)) throw error;
 *   console.error(error.message, error.task.artifacts);
 * }
 * ```
 */
export class AgentFailedError extends Error {
  override readonly name = 'AgentFailedError';
  readonly code = 'agent-failed';
  /** The task as it ended. */
  readonly task: Task;

  constructor(task: Task) {
    const reason = task.status.message?.parts.map((part) => part.text ?? '').join(' ');
    super(reason || `The task ended with ${task.status.state}.`);
    this.task = task;
  }
}

/** The webhook for the events of a task. A `token` without `authentication` is also sent as bearer token. */
export type PushNotificationConfig = Omit<TaskPushNotificationConfig, 'taskId' | 'tenant'>;

function withBearerToken(config: PushNotificationConfig): PushNotificationConfig {
  if (config.token === undefined || config.authentication !== undefined) return config;
  return { ...config, authentication: { scheme: 'Bearer', credentials: config.token } };
}

/** A message to an agent: a text, or the parameters of A2A's SendMessage. Role and id of the message are optional. */
export type SendParameters =
  | string
  | (Omit<SendMessageRequest, 'message'> & {
      message: Omit<Message, 'role' | 'messageId'> & Partial<Pick<Message, 'role' | 'messageId'>>;
    });

/** Converts them to a request. Rejects what A2A rejects. */
function sendRequest(
  parameters: SendParameters,
  defaults: { contextId: string | undefined; returnImmediately: boolean },
): SendMessageRequest {
  const given = typeof parameters === 'string' ? { message: { parts: [{ text: parameters }] } } : parameters;
  const { message, configuration, ...rest } = given;
  const isNew = !message.taskId && !message.contextId;
  return decodeRequest(sendMessageRequestSchema, {
    ...rest,
    message: {
      role: 'ROLE_USER',
      messageId: newId(),
      ...message,
      ...(isNew && defaults.contextId !== undefined && { contextId: defaults.contextId }),
    },
    configuration: withToken({ returnImmediately: defaults.returnImmediately, ...configuration }),
  });
}

function withToken(configuration: SendMessageConfiguration): SendMessageConfiguration {
  const { taskPushNotificationConfig: push } = configuration;
  return push === undefined
    ? configuration
    : { ...configuration, taskPushNotificationConfig: withBearerToken(push) };
}

/** Options of the adapter itself, in addition to those of its agent. */
export interface AdapterSetup {
  /**
   * Where tasks are stored. A store passed here is not closed with the adapter.
   *
   * @default a store in memory
   */
  taskStore?: Store;
  /**
   * Where running processes are recorded, so that the next start can end those that a crash left running.
   *
   * @default '.holdword'
   */
  dataFolder?: string;
  /** @default no log */
  log?: Log;
  /**
   * Options of push notifications; false disables them.
   *
   * @default {}
   */
  push?: PushOptions | false;
}

const SETUP_NAMES: readonly string[] = [
  'taskStore',
  'dataFolder',
  'log',
  'push',
] satisfies (keyof AdapterSetup)[];

interface SplitOptions {
  readonly setup: AdapterSetup;
  /** Options of the agent, not validated yet. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Separates the options of the adapter from those of its agent. Names with underscores are accepted as well. */
export function splitOptions(given: object): SplitOptions {
  const entries = Object.entries(given);
  const setup = entries
    .filter((entry) => isSetup(entry) && entry[1] !== undefined && entry[1] !== null)
    .map(([name, value]) => [toCamelCase(name), value]);
  return {
    setup: Object.fromEntries(setup) as AdapterSetup,
    options: Object.fromEntries(entries.filter((entry) => !isSetup(entry))),
  };
}

function isSetup([name]: [string, unknown]): boolean {
  return SETUP_NAMES.includes(toCamelCase(name));
}
