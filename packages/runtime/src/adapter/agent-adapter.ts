import { join, resolve } from 'node:path';
import { isA2AError, isTerminal, type Message, type Task } from '@holdword/protocol';
import { openMemoryStore, type Store } from '@holdword/store';
import type { AgentKind } from '../agents/agent-kind.ts';
import { noopLog } from '../log.ts';
import type { RequestContext } from '../operations/request-context.ts';
import { removeTask } from '../retention/forget-tasks.ts';
import { retentionOf } from '../retention/retention-of.ts';
import type { Runtime } from '../runtime-api.ts';
import { startRuntime } from '../runtime.ts';
import type { AdapterSetup } from './adapter-setup.ts';
import { AgentFailedError } from './agent-failed-error.ts';
import { withBearerToken, type PushNotificationConfig } from './push-config.ts';
import { sendRequest, type SendParameters } from './send-parameters.ts';

export interface AgentSource {
  readonly kind: AgentKind;
  readonly options: Readonly<Record<string, unknown>>;
  readonly setup: AdapterSetup;
  /** Where messages go that name no context; each gets one of its own by default. */
  readonly contextId?: string;
}

interface StartedAgent {
  readonly runtime: Runtime;
  readonly store: Store;
  /** How the agent is reached, for kinds with more than one transport: `gateway` or `command line`. */
  readonly transport: string | undefined;
}

/** A program that holds the adapter is the only caller. */
const CALL: RequestContext = {
  owner: { tenant: '', caller: 'anonymous', authenticated: false },
  extensions: new Set(),
  signal: new AbortController().signal,
};

/**
 * An agent as an object of this program: messages go in, tasks or messages come out. It can be served, too.
 *
 * Responsible for starting the agent once, with the first call, and for ending it with `close`. Everything that happens to
 * a task is the runtime's: what holds for a served agent holds here.
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
   * Starts the agent, unless that was done before. Rejects when its options or its program are not as they must be.
   * @internal
   */
  start(): Promise<StartedAgent> {
    if (this.#isClosed) return Promise.reject(new Error('Expected an open adapter: this one was closed.'));
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /**
   * Gives a message to the agent. By default the task comes at once and the agent works on; poll it with `getTask`, or set
   * up a notification. With `asyncMode: false` it waits and gives the agent's message; an agent that fails makes it reject
   * with AgentFailedError, one that asks for something gives the task that waits for the answer.
   */
  async handle(parameters: SendParameters): Promise<Task | Message> {
    const { runtime } = await this.start();
    const { contextId } = this.#source;
    const isAsync = this.supportsAsyncTasks();
    const request = sendRequest(parameters, { contextId, returnImmediately: isAsync });
    const answer = await runtime.operations.sendMessage(request, CALL);
    if ('message' in answer) return answer.message;
    const { task } = answer;
    if (!isAsync && isTerminal(task.status.state) && task.status.state !== 'TASK_STATE_COMPLETED') {
      throw new AgentFailedError(task);
    }
    return task;
  }

  async getTask(taskId: string): Promise<Task | undefined> {
    const { runtime } = await this.start();
    return ifThere(() => runtime.operations.getTask({ id: taskId }, CALL));
  }

  /** Gives the task as it is then; one that had ended before stays as it was. Undefined where there is none. */
  async cancelTask(taskId: string): Promise<Task | undefined> {
    const { runtime } = await this.start();
    try {
      return await ifThere(() => runtime.operations.cancelTask({ id: taskId }, CALL));
    } catch (error) {
      if (isA2AError(error) && error.code === 'TASK_NOT_CANCELABLE') return this.getTask(taskId);
      throw error;
    }
  }

  /** Forgets a task that has ended, with its notifications. False where there is none. */
  async deleteTask(taskId: string): Promise<boolean> {
    const { store } = await this.start();
    const task = await this.getTask(taskId);
    if (task === undefined) return false;
    if (!isTerminal(task.status.state)) {
      throw new Error(
        `Expected a task that has ended, found ${taskId} in ${task.status.state}. Cancel it first, or wait for its end.`,
      );
    }
    return removeTask({ store, retention: retentionOf(store) }, taskId);
  }

  /** Sends what happens to the task from now on to a webhook. Replaces what was set before; false without such a task. */
  async setPushNotificationConfig(taskId: string, config: PushNotificationConfig): Promise<boolean> {
    const { runtime } = await this.start();
    const id = config.id ?? (await this.getPushNotificationConfig(taskId))?.id ?? 'default';
    const request = { ...withBearerToken(config), taskId, id };
    const created = await ifThere(() => runtime.operations.createTaskPushNotificationConfig(request, CALL));
    return created !== undefined;
  }

  /** Without its secrets. */
  async getPushNotificationConfig(taskId: string): Promise<PushNotificationConfig | undefined> {
    return (await this.#pushConfigs(taskId))[0];
  }

  /** False where there was none. */
  async deletePushNotificationConfig(taskId: string): Promise<boolean> {
    const { runtime } = await this.start();
    const configs = await this.#pushConfigs(taskId);
    for (const { id = '' } of configs) {
      await runtime.operations.deleteTaskPushNotificationConfig({ taskId, id }, CALL);
    }
    return configs.length > 0;
  }

  supportsAsyncTasks(): boolean {
    const { asyncMode, async_mode: sameByOtherName } = this.#source.options;
    return (asyncMode ?? sameByOtherName) !== false;
  }

  supportsPushNotifications(): boolean {
    return this.#source.setup.push !== false;
  }

  /** Stops the agent and everything it has started. Running turns are interrupted. */
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
    const listed = await ifThere(() => runtime.operations.listTaskPushNotificationConfigs({ taskId }, CALL));
    return listed?.configs ?? [];
  }
}

/** What is asked for, or undefined when there is no such task. */
async function ifThere<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isA2AError(error) && error.code === 'TASK_NOT_FOUND') return undefined;
    throw error;
  }
}
