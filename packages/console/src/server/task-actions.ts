import { randomUUID } from 'node:crypto';
import { questionDetails } from '@holdword/client/internal';
import {
  A2AError,
  FORK_EXTENSION,
  isA2AError,
  isTerminal,
  type Message,
  RESUME_EXTENSION,
  SKILL_METADATA,
  type Task,
} from '@holdword/protocol';
import { shorten } from '@holdword/protocol/internal';
import type { Operations, Owner, RequestContext } from '@holdword/runtime';
import { listPushTargets, ownerFromKey } from '@holdword/runtime/internal';
import type { Store, TaskHeader } from '@holdword/store';
import type { BodyOf } from '../api/endpoints.ts';
import type { CanceledTasks, TaskRow } from '../api/tasks.ts';
import type { Question, SendMessage, SentMessage, TaskDetail } from '../api/task.ts';
import type { RecordAction } from './audit.ts';
import { pushTargetView } from './push-target-view.ts';
import type { Viewer } from './sessions.ts';
import { statusOf, toTaskRow } from './task-rows.ts';

export interface TaskActionsOptions {
  readonly store: Store;
  readonly operations: Operations;
  /** The name of this process, as it is in the store. */
  readonly processName: string;
  /** The hand-off of a task, if there is a hub. */
  readonly handoffOf: (taskId: string) => Promise<string | undefined>;
  readonly record: RecordAction;
}

/** Who acts, and from where. */
export interface Acting {
  readonly viewer: Viewer;
  readonly peer: string | undefined;
  readonly signal: AbortSignal;
}

/** Tasks are canceled this many at a time. */
const CONCURRENT_CANCELS = 8;

/**
 * What a viewer does with tasks.
 *
 * Responsible for J9: a task of another owner does not exist, except for operators, who act as its owner and whose actions are
 * written to the audit log. Leaves everything else to the operations of the agent, the same that A2A clients use.
 */
export class TaskActions {
  readonly #options: TaskActionsOptions;

  constructor(options: TaskActionsOptions) {
    this.#options = options;
  }

  /** The header of a task that the viewer may see. */
  async require(viewer: Viewer, taskId: string): Promise<TaskHeader> {
    const header = await this.#options.store.readTask(taskId);
    if (header !== undefined && (viewer.isOperator || header.owner === viewer.ownerKey)) return header;
    throw new A2AError(
      'TASK_NOT_FOUND',
      `There is no task ${JSON.stringify(shorten(taskId, 100))}. It may have been deleted, or belong to someone else.`,
    );
  }

  async detail(viewer: Viewer, taskId: string): Promise<TaskDetail> {
    const header = await this.require(viewer, taskId);
    const { store, processName, handoffOf } = this.#options;
    const holder = await store.readHolder(taskId);
    const handoffId = await handoffOf(taskId);
    const pushTargets = await listPushTargets(store, { taskId });
    return {
      ...toTaskRow(header),
      firstSequence: header.firstSequence,
      metadata: await this.#metadata(header),
      question: questionOf(header),
      running:
        holder === undefined
          ? null
          : { process: holder, alive: await store.isAlive(holder), here: holder === processName },
      pushTargets: pushTargets.map(pushTargetView),
      handoffIds: handoffId === undefined ? [] : [handoffId],
      mayCancel: !isTerminal(header.state),
    };
  }

  async cancel(acting: Acting, taskId: string): Promise<void> {
    const header = await this.require(acting.viewer, taskId);
    await this.#options.operations.cancelTask({ id: taskId }, contextOf(acting, header));
    this.#record(acting, 'console-task-canceled', header);
  }

  async cancelAll(acting: Acting, ids: readonly string[]): Promise<CanceledTasks> {
    const left = [...new Set(ids)].map((id, index) => ({ id, index }));
    const results: CanceledTasks['results'] = [];
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift())
        results[next.index] = { id: next.id, ...(await this.#tryCancel(acting, next.id)) };
    };
    await Promise.all(Array.from({ length: CONCURRENT_CANCELS }, work));
    return { results };
  }

  async #tryCancel(acting: Acting, id: string): Promise<Omit<CanceledTasks['results'][number], 'id'>> {
    try {
      await this.cancel(acting, id);
      return { outcome: 'canceled', message: null };
    } catch (error) {
      if (!isA2AError(error)) throw error;
      const { code, message } = error;
      if (code === 'TASK_NOT_FOUND') return { outcome: 'not-found', message };
      return { outcome: code === 'TASK_NOT_CANCELABLE' ? 'already-ended' : 'failed', message };
    }
  }

  async send(acting: Acting, body: SendMessage): Promise<SentMessage> {
    const { viewer } = acting;
    const about = body.taskId ?? body.again;
    const header = about === undefined ? undefined : await this.require(viewer, about);
    const message: Message = {
      messageId: body.messageId,
      role: 'ROLE_USER',
      parts: body.parts,
      ...(body.taskId !== undefined && { taskId: body.taskId }),
      ...(body.metadata !== undefined && { metadata: body.metadata }),
      ...(body.again !== undefined && { referenceTaskIds: [body.again] }),
    };
    const contextId = body.contextId ?? (body.taskId === undefined ? header?.contextId : undefined);
    if (contextId !== undefined) message.contextId = contextId;
    const answer = await this.#options.operations.sendMessage(
      {
        message,
        configuration: { returnImmediately: true },
        ...(body.skill !== undefined && { metadata: { [SKILL_METADATA]: body.skill } }),
      },
      { ...contextOf(acting, header), idempotencyKey: `console:${body.messageId}` },
    );
    if (header !== undefined) this.#record(acting, 'console-message-sent', header);
    if ('message' in answer) return { task: null, message: answer.message };
    return { task: toTaskRow(await this.require(viewer, answer.task.id)), message: null };
  }

  /** Starts a new task with what another one had after an event. Without parts, it waits for its user. */
  async fork(acting: Acting, taskId: string, { sequence, parts }: BodyOf<'forkTask'>): Promise<TaskRow> {
    const header = await this.require(acting.viewer, taskId);
    const message: Message = {
      messageId: randomUUID(),
      role: 'ROLE_USER',
      // Without a turn it is left out, but every message has a part.
      parts: parts ?? [{ text: 'fork' }],
    };
    const fork = { taskId, at: sequence, start: parts !== undefined };
    const answer = await this.#options.operations.sendMessage(
      { message, configuration: { returnImmediately: true }, metadata: { [FORK_EXTENSION]: fork } },
      contextOf(acting, header),
    );
    if ('message' in answer)
      throw new A2AError('INTERNAL', 'The agent answered with a message, not with a task.');
    this.#record(acting, 'console-task-forked', header);
    return toTaskRow(await this.require(acting.viewer, answer.task.id));
  }

  /** Writes an audit line, if an operator acts on the task of someone else. */
  #record({ viewer, peer }: Acting, event: string, { taskId, owner }: TaskHeader): void {
    if (viewer.ownerKey !== owner) this.#options.record(viewer, peer, event, { task: taskId, owner });
  }

  /** From the first event, or what is left of it. */
  async #metadata({ taskId, firstSequence }: TaskHeader): Promise<TaskDetail['metadata']> {
    const { store } = this.#options;
    if (firstSequence > 1) {
      const snapshot = await store.readSnapshot(taskId);
      return snapshot === undefined ? null : withoutOwn((JSON.parse(snapshot.json) as Task).metadata);
    }
    const [first] = await store.readEvents(taskId, 0, 1);
    const event = first && (JSON.parse(first.json) as { task?: Task });
    return withoutOwn(event?.task?.metadata);
  }
}

/** The sequence number of the event belongs to the event. */
function withoutOwn(metadata: Task['metadata']): TaskDetail['metadata'] {
  const { [RESUME_EXTENSION]: _, ...others } = metadata ?? {};
  return Object.keys(others).length === 0 ? null : others;
}

function contextOf({ viewer, signal }: Acting, header: TaskHeader | undefined): RequestContext {
  const owner: Owner = header === undefined ? viewer.owner : ownerFromKey(header.owner);
  return { owner, extensions: new Set(), signal };
}

function questionOf(header: TaskHeader): Question | null {
  const wants = { TASK_STATE_INPUT_REQUIRED: 'input', TASK_STATE_AUTH_REQUIRED: 'auth' } as const;
  const kind = wants[header.state as keyof typeof wants] as 'input' | 'auth' | undefined;
  if (kind === undefined) return null;
  const { message } = statusOf(header);
  const { schema = null, choices = null, url = null, expiresAt = null } = questionDetails(message);
  return {
    wants: kind,
    parts: message?.parts ?? [],
    schema,
    choices: choices?.map(({ value, label }) => ({ value, label: label ?? value })) ?? null,
    url,
    expiresAt,
    metadata: message?.metadata ?? null,
  };
}
