import { join, resolve } from 'node:path';
import { isA2AError, isTerminal, type Message, type Task } from '@holdword/protocol';
import { openMemoryStore, type Store } from '@holdword/store';
import type { AgentKind } from '../agents/agent-kind.ts';
import { noopLog } from '../log.ts';
import type { RequestContext } from '../operations/operations.ts';
import { removeTask, retentionOf } from '../engine/retention.ts';
import { TargetRecords } from '../push/push-targets.ts';
import { startRuntime, type Runtime } from '../runtime.ts';
import {
  configOf,
  type LegacyPushNotificationConfig,
  type PushNotificationConfig,
  pushRequest,
  type SendParameters,
  sendRequest,
} from './adapter-requests.ts';
import type { AdapterSetup } from './adapter-setup.ts';

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
   * asks for input, or if the adapter is closed before the agent has begun: the next adapter with this `taskStore` runs it.
   *
   * @throws AgentFailedError (code `agent-failed`) with `asyncMode: false` if the agent fails.
   */
  async handle(parameters: SendParameters): Promise<Task | Message> {
    const { runtime } = await this.start();
    const { contextId } = this.#source;
    const isAsync = this.supportsAsyncTasks();
    const { request, version } = sendRequest(parameters, { contextId, returnImmediately: isAsync });
    const answer = await runtime.operations.sendMessage(request, { ...CONTEXT, version });
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
  async setPushNotificationConfig(
    taskId: string,
    config: PushNotificationConfig | LegacyPushNotificationConfig,
  ): Promise<boolean> {
    const { runtime } = await this.start();
    const known = await this.getPushNotificationConfig(taskId);
    const { request, version } = pushRequest(config, known?.id ?? 'default');
    const created = await ifFound(() =>
      runtime.operations.createTaskPushNotificationConfig({ ...request, taskId }, { ...CONTEXT, version }),
    );
    return created !== undefined;
  }

  /** Returns the push configuration of a task as it was set, secrets included. Undefined if there is none. */
  async getPushNotificationConfig(taskId: string): Promise<PushNotificationConfig | undefined> {
    const { store } = await this.start();
    const [configId] = await this.#pushConfigIds(taskId);
    if (configId === undefined) return undefined;
    const stored = await new TargetRecords(store).find({ taskId, configId });
    return stored && configOf(stored.target);
  }

  /** Removes the push configuration of a task. Returns false if there was none. */
  async deletePushNotificationConfig(taskId: string): Promise<boolean> {
    const { runtime } = await this.start();
    const ids = await this.#pushConfigIds(taskId);
    for (const id of ids) {
      await runtime.operations.deleteTaskPushNotificationConfig({ taskId, id }, CONTEXT);
    }
    return ids.length > 0;
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

  async #pushConfigIds(taskId: string): Promise<string[]> {
    const { runtime } = await this.start();
    const listed = await ifFound(() =>
      runtime.operations.listTaskPushNotificationConfigs({ taskId }, CONTEXT),
    );
    return (listed?.configs ?? []).map(({ id = '' }) => id);
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
