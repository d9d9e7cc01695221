import { createHash } from 'node:crypto';
import { BoundedMap } from '../basics/bounded-map.ts';
import type { A2ATools } from '../tools/a2a-tools.ts';
import type { ToolResult } from '../tools/tool.ts';
import { expiryOf, McpTaskStore, type StoredTask } from './mcp-task-store.ts';
import { type Asking, readAnswer } from './task-elicitation.ts';
import { TaskRun } from './task-run.ts';

/** Options of the tasks of an {@link McpToolServer}. */
export interface McpTaskOptions {
  /** Tasks are stored here, one file each. Created on first use. */
  folder: string;
  /**
   * How long a task is kept after it was created, in seconds.
   * @default 604800 (a week)
   */
  ttl?: number | undefined;
  /**
   * Number of tasks that are stored. If there are that many, calls are answered without a task.
   * @default 1000
   */
  maxTasks?: number | undefined;
}

export interface McpTasksOptions extends McpTaskOptions {
  readonly tools: A2ATools;
  /** Called with every result, before the host sees it. */
  readonly onResult: (agentId: string, result: ToolResult) => void;
}

/** A call that becomes a task: what is sent, or which task of the agent is followed. */
export interface TaskCall extends Pick<StoredTask, 'agentId' | 'timeoutSeconds' | 'pollSeconds' | 'remote'> {
  readonly outgoing?: Omit<NonNullable<StoredTask['outgoing']>, 'messageId'> | undefined;
  readonly asking: Asking;
}

/** What hosts are told of a task. */
export type PolledTask = Pick<StoredTask, 'taskId' | 'createdAt' | 'changedAt' | 'question' | 'end'>;

/** A task as a host sees it. */
export interface TaskSnapshot<Task extends PolledTask = PolledTask> {
  readonly task: Task;
  readonly statusMessage: string | undefined;
  readonly updatedAt: number;
  readonly ttlMilliseconds: number;
}

/** The tasks of one host. One that it does not have is undefined, or false. */
export interface PolledTasks {
  get(taskId: string): Promise<TaskSnapshot | undefined>;
  /** @throws A2AError if an answer does not fit its question. */
  update(taskId: string, responses: Readonly<Record<string, unknown>>): Promise<boolean>;
  cancel(taskId: string): Promise<boolean>;
}

const DEFAULT_TTL_SECONDS = 7 * 24 * 60 * 60;
const DEFAULT_MAX_TASKS = 1_000;
/** A question is compared with the agent's task at most this often: others may have answered it. */
const RECHECK_MILLISECONDS = 5_000;

/**
 * Calls of tools as durable tasks, which hosts poll (the MCP extension `io.modelcontextprotocol/tasks`).
 *
 * Responsible for these guarantees: a task is on disk before its host learns its id, and each change before the host sees it; a
 * task whose process died is continued by the next one that is asked for it; an owner sees only its own tasks. Leaves files to
 * McpTaskStore, the work on a task to TaskRun, the form of questions to task-elicitation, and the protocol to task-methods.
 */
export class McpTasks {
  readonly #options: McpTasksOptions;
  readonly #store: McpTaskStore;
  readonly #ttlMilliseconds: number;
  readonly #runs = new Map<string, TaskRun>();
  /** When a question was last compared with the agent's task. */
  readonly #rechecked: BoundedMap<string, number>;
  /** The last change of each task that is being changed: changes of one task happen one at a time. */
  readonly #changes = new Map<string, Promise<unknown>>();
  #isClosed = false;

  constructor(options: McpTasksOptions) {
    const { folder, ttl = DEFAULT_TTL_SECONDS, maxTasks = DEFAULT_MAX_TASKS } = options;
    this.#options = options;
    this.#store = new McpTaskStore(folder, maxTasks);
    this.#ttlMilliseconds = Math.round(ttl * 1000);
    this.#rechecked = new BoundedMap({ entries: maxTasks });
  }

  /** Stores a call as a task and starts it. Undefined if there are too many tasks. */
  async create(
    owner: string,
    { outgoing, ...call }: TaskCall,
  ): Promise<TaskSnapshot<StoredTask> | undefined> {
    if (!(await this.#store.hasRoom())) return undefined;
    const now = Date.now();
    const taskId = this.#store.newId(now + this.#ttlMilliseconds);
    const task: StoredTask = {
      ...call,
      ...(outgoing && { outgoing: { ...outgoing, messageId: messageIdOf(taskId, 'call') } }),
      taskId,
      owner,
      createdAt: now,
      changedAt: now,
      questions: 0,
    };
    await this.#store.create(task);
    this.#start(task);
    return this.#snapshot(task);
  }

  /** Undefined if this owner has no such task. Continues a task that this process does not work on. */
  async get(owner: string, taskId: string): Promise<TaskSnapshot<StoredTask> | undefined> {
    return this.#exclusively(taskId, async () => {
      const task = await this.#find(owner, taskId);
      if (task === undefined) return undefined;
      if (this.#isDue(task)) this.#start(task, task.outgoing?.messageId);
      return this.#snapshot(task);
    });
  }

  /**
   * Answers a question. Keys that are not open are ignored.
   *
   * @returns false if this owner has no such task.
   * @throws A2AError if the answer does not fit the question.
   */
  async update(
    owner: string,
    taskId: string,
    responses: Readonly<Record<string, unknown>>,
  ): Promise<boolean> {
    return this.#exclusively(taskId, async () => {
      const found = await this.#find(owner, taskId);
      if (found === undefined) return false;
      const { question, ...task } = found;
      if (question === undefined || !Object.hasOwn(responses, question.key)) return true;
      const answer = readAnswer(question, responses[question.key]);
      const isDeclined = answer === 'declined';
      const outgoing = !isDeclined && {
        messageId: messageIdOf(taskId, question.key),
        parts: [...answer],
        ...task.remote,
      };
      await this.#continue({
        ...task,
        ...(outgoing && { outgoing }),
        answered: { mark: question.mark, isDeclined },
        changedAt: Date.now(),
      });
      return true;
    });
  }

  /** Asks the agent to cancel. Returns false if this owner has no such task. */
  async cancel(owner: string, taskId: string): Promise<boolean> {
    return this.#exclusively(taskId, async () => {
      const task = await this.#find(owner, taskId);
      if (task === undefined) return false;
      const isOver = task.end !== undefined || task.cancel !== undefined;
      if (!isOver) await this.#continue({ ...task, cancel: 'requested' }, task.outgoing?.messageId);
      return true;
    });
  }

  /** The tasks of one owner. */
  of(owner: string): PolledTasks {
    return {
      get: (taskId) => this.get(owner, taskId),
      update: (taskId, responses) => this.update(owner, taskId, responses),
      cancel: (taskId) => this.cancel(owner, taskId),
    };
  }

  /** Stops working on tasks. They stay as they are, for the next process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#runs.values(), (run) => run.stop()));
  }

  async #find(owner: string, taskId: string): Promise<StoredTask | undefined> {
    const task = this.#runs.get(taskId)?.task ?? (await this.#store.read(taskId));
    return task?.owner === owner && (expiryOf(taskId) ?? 0) > Date.now() ? task : undefined;
  }

  /** Whether to work on a task: unless it has ended or waits for its user. */
  #isDue({ taskId, question, end }: StoredTask): boolean {
    if (end !== undefined || this.#runs.has(taskId)) return false;
    const last = this.#rechecked.get(taskId) ?? 0;
    return question === undefined || Date.now() - last > RECHECK_MILLISECONDS;
  }

  /** Stores a task that its host has changed and works on it. */
  async #continue(task: StoredTask, lostMessageId?: string): Promise<void> {
    await this.#store.write(task);
    const run = this.#runs.get(task.taskId);
    if (run === undefined) this.#start(task, lostMessageId);
    else run.accept(task);
  }

  /** @param lostMessageId The message that another process was sending when it ended. */
  #start(task: StoredTask, lostMessageId?: string): void {
    if (this.#isClosed) return;
    const { tools, onResult } = this.#options;
    if (task.question !== undefined) this.#rechecked.set(task.taskId, Date.now());
    const run = new TaskRun(task, {
      tools,
      onResult,
      lostMessageId,
      exclusively: (work) => this.#exclusively(task.taskId, work),
      write: (changed) => this.#store.write(changed),
    });
    this.#runs.set(task.taskId, run);
    void run.run().finally(() => this.#runs.delete(task.taskId));
  }

  async #exclusively<Result>(taskId: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#changes.get(taskId);
    const change = (async () => {
      await before?.catch(() => {});
      return work();
    })();
    this.#changes.set(taskId, change);
    try {
      return await change;
    } finally {
      if (this.#changes.get(taskId) === change) this.#changes.delete(taskId);
    }
  }

  #snapshot(task: StoredTask): TaskSnapshot<StoredTask> {
    const run = this.#runs.get(task.taskId);
    return {
      task,
      statusMessage: task.end === undefined ? run?.statusMessage : undefined,
      updatedAt: Math.max(task.changedAt, run?.updatedAt ?? 0),
      ttlMilliseconds: (expiryOf(task.taskId) ?? 0) - task.createdAt,
    };
  }
}

/** The same id for the same message of the same task. */
function messageIdOf(taskId: string, purpose: string): string {
  return createHash('sha256')
    .update(JSON.stringify([taskId, purpose]))
    .digest('hex')
    .slice(0, 32);
}
