import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '@holdword/protocol/internal';
import { makeFolders, replaceSharedFile } from '@holdword/store/internal';
import { z } from 'zod';
import { askingSchema, elicitationSchema } from './task-elicitation.ts';

const messageSchema = z.object({
  messageId: z.string(),
  parts: z.array(z.record(z.string(), z.unknown())),
  contextId: z.string().optional(),
  taskId: z.string().optional(),
});

/** An open question, its key for the host, and what tells it from the other questions of the agent. */
export const taskQuestionSchema = elicitationSchema.extend({ key: z.string(), mark: z.string() });

/** How a task ended. */
export const taskEndSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('completed'), result: z.record(z.string(), z.unknown()) }),
  z.object({
    status: z.literal('failed'),
    error: z.object({ code: z.number(), message: z.string() }),
  }),
  z.object({ status: z.literal('cancelled') }),
]);

/** A task of a host: a call of a tool, and how far it has come. Its id tells when it expires. */
const storedTaskSchema = z.object({
  taskId: z.string(),
  /** Who may see it. */
  owner: z.string(),
  agentId: z.string(),
  createdAt: z.number(),
  /** When its state changed: it was created, asked, was answered or ended. */
  changedAt: z.number(),
  /** How long the tool was told to wait. Without it, until the task expires. */
  timeoutSeconds: z.number().optional(),
  pollSeconds: z.number().optional(),
  asking: askingSchema,
  /** A message that the agent has not been known to receive. */
  outgoing: messageSchema.optional(),
  /** The agent's task, as soon as it is known. */
  remote: z.object({ taskId: z.string(), contextId: z.string().optional() }).optional(),
  /** Number of questions so far, from which the next key is made. */
  questions: z.number(),
  question: taskQuestionSchema.optional(),
  /** The mark of the question that the user has answered or declined. */
  answered: z.object({ mark: z.string(), isDeclined: z.boolean() }).optional(),
  /** The host has asked to cancel. `refused`: the agent keeps working. */
  cancel: z.enum(['requested', 'refused']).optional(),
  end: taskEndSchema.optional(),
});
export type StoredTask = z.infer<typeof storedTaskSchema>;

/** The time of expiry, then 256 random bits: whoever has not been told the id cannot guess it. */
const TASK_ID = /^([0-9a-z]{8,9})-[0-9a-f]{64}$/;
const EXTENSION = '.json';
const SWEEP_MILLISECONDS = 60_000;

/** When the task with this id expires; undefined if it is not an id of a task. */
export function expiryOf(taskId: string): number | undefined {
  const [, time] = TASK_ID.exec(taskId) ?? [];
  return time === undefined ? undefined : Number.parseInt(time, 36);
}

/**
 * The tasks of hosts, one file each.
 *
 * Responsible for durability: a task is on disk when `write` resolves, and a crash leaves the old file or the new one. Bounded:
 * there is no room for more than `maxTasks`, and files are removed when their tasks have expired, which their names tell. Leaves
 * what a task means to McpTasks.
 */
export class McpTaskStore {
  readonly #folder: string;
  readonly #maxTasks: number;
  #count = Infinity;
  #sweptAt = 0;

  constructor(folder: string, maxTasks: number) {
    this.#folder = folder;
    this.#maxTasks = maxTasks;
  }

  newId(expiresAt: number): string {
    return `${expiresAt.toString(36)}-${randomBytes(32).toString('hex')}`;
  }

  /** Whether another task can be stored. Removes those that have expired. */
  async hasRoom(): Promise<boolean> {
    const isDue = Date.now() - this.#sweptAt > SWEEP_MILLISECONDS;
    if (isDue || this.#count >= this.#maxTasks) await this.#sweep();
    return this.#count < this.#maxTasks;
  }

  async create(task: StoredTask): Promise<void> {
    await this.write(task);
    this.#count += 1;
  }

  async write(task: StoredTask): Promise<void> {
    await replaceSharedFile(this.#file(task.taskId), (handle) => handle.writeFile(JSON.stringify(task)));
  }

  /** Undefined if there is no such task, or if it has expired. */
  async read(taskId: string): Promise<StoredTask | undefined> {
    if ((expiryOf(taskId) ?? 0) <= Date.now()) return undefined;
    try {
      return storedTaskSchema.parse(JSON.parse(await readFile(this.#file(taskId), 'utf8')));
    } catch (error) {
      if (hasErrorCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** Files of other processes that share the folder are counted as well. */
  async #sweep(): Promise<void> {
    makeFolders(this.#folder);
    this.#sweptAt = Date.now();
    const taskIds = (await readdir(this.#folder))
      .filter((name) => name.endsWith(EXTENSION))
      .map((name) => name.slice(0, -EXTENSION.length));
    const expired = taskIds.filter((taskId) => (expiryOf(taskId) ?? Infinity) <= Date.now());
    this.#count = taskIds.length - expired.length;
    await Promise.all(expired.map((taskId) => rm(this.#file(taskId), { force: true })));
  }

  #file(taskId: string): string {
    return join(this.#folder, `${taskId}${EXTENSION}`);
  }
}
